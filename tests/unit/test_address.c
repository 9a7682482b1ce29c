/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/notify/address.h"

static const char *
refusal(const char *text, bool private_too)
{
	struct sockaddr_in	in = { .sin_family = AF_INET };
	struct sockaddr_in6	in6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
		return address_refusal((struct sockaddr *)&in, private_too);
	assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
	return address_refusal((struct sockaddr *)&in6, private_too);
}

static void
test_address_public_ones_may_be_connected_to(void **state)
{
	static const char *const	list[] = { "1.1.1.1", "8.8.8.8", "11.0.0.0", "126.255.255.255",
		"128.0.0.1", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
		"100.63.255.255", "100.128.0.0", "169.253.255.255", "223.255.255.255",
		"2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
		"2002:0101:0101::1" };

	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (refusal(list[i], false) != NULL)
			fail_msg("%s: %s", list[i], refusal(list[i], false));
}

static void
test_address_what_only_the_host_may_reach_is_refused(void **state)
{
	static const char *const	list[] = { "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3",
		"169.254.169.254", "169.254.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1",
		"255.255.255.255", "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1",
		"::", "::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "fd00:ec2::254",
		"fd20:ce::254", "2001:0:1::1", "2001:db8::1", "100::1", "::127.0.0.1", "::8.8.8.8",
		"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1",
		"64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::1.1.1.1",
		"2002:7f00:1::1", "2002:a9fe:a9fe::1" };

	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (refusal(list[i], false) == NULL || refusal(list[i], true) == NULL)
			fail_msg("%s may be connected to", list[i]);
}

static void
test_address_private_networks_are_the_operators_to_allow(void **state)
{
	static const char *const	list[] = { "10.0.0.1", "10.255.255.255", "172.16.0.1",
		"172.31.255.255", "192.168.0.1", "100.64.0.1", "fc00::1", "fdff::1",
		"::ffff:10.0.0.1", "64:ff9b::192.168.1.1", "2002:c0a8:0101::1" };

	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
		if (refusal(list[i], false) == NULL)
			fail_msg("%s may be connected to", list[i]);
		if (refusal(list[i], true) != NULL)
			fail_msg("%s: %s", list[i], refusal(list[i], true));
	}
}

static void
test_address_hosts_are_those_between_the_slashes(void **state)
{
	char	host[64];

	(void)state;
	assert_true(address_host("https://Example.org/x@y", host, sizeof host));
	assert_string_equal(host, "Example.org");
	assert_true(address_host("http://127.0.0.1:80", host, sizeof host));
	assert_string_equal(host, "127.0.0.1");
	assert_true(address_host("http://[::1]:80/", host, sizeof host));
	assert_string_equal(host, "::1");
	assert_false(address_host("http://a@b/", host, sizeof host));
	assert_false(address_host("http:///x", host, sizeof host));
	assert_false(address_host("http://[::1", host, sizeof host));
	assert_false(address_host("nothing", host, sizeof host));
}

static void
test_address_a_list_holds_whole_hosts(void **state)
{
	(void)state;
	assert_true(address_is_listed("a.example, B.example,private", "b.EXAMPLE"));
	assert_true(address_is_listed("a.example, B.example,private", "private"));
	assert_false(address_is_listed("a.example", "example"));
	assert_false(address_is_listed("a.example", "a.exampl"));
	assert_false(address_is_listed("", "a"));
	assert_false(address_is_listed(" , ", ""));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_address_public_ones_may_be_connected_to),
		cmocka_unit_test(test_address_what_only_the_host_may_reach_is_refused),
		cmocka_unit_test(test_address_private_networks_are_the_operators_to_allow),
		cmocka_unit_test(test_address_hosts_are_those_between_the_slashes),
		cmocka_unit_test(test_address_a_list_holds_whole_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
