# Assay.  make · demo · check · check-asan · check-guest · bench · experiments · fuzz · install · clean
CC      ?= gcc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
MODE    ?= release
# release, asan and fuzz objects never meet
B       := build/$(MODE)
V       ?= 0
Q       := $(if $(filter 1,$(V)),,@)
say      = $(if $(filter 1,$(V)),,@printf '  %-4s %s\n' $(1) $(2))

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
override CPPFLAGS += -D_GNU_SOURCE -I. -MMD -MP
override CFLAGS   += -std=c11 $(WARN) $(if $(CI),-Werror)
ifeq ($(MODE),asan)
override CFLAGS   += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
override LDFLAGS  += -fsanitize=address,undefined
endif
ifeq ($(MODE),fuzz)
CC = clang
override CFLAGS   += -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
override LDFLAGS  += -fsanitize=fuzzer,address,undefined
endif
pkg = $(shell pkg-config --$(1) $(2))

objs     = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))
PROTO   := $(call objs,proto/*.c)
HOSTD   := $(addprefix $(B)/daemon/,log.o settings.o $(patsubst %,host/%.o,hostd hostd_config lease tune undo journal \
           partition knob site cgroup hostfs fitness grade probe)) $(patsubst %,$(B)/proto/%.o,fault status name cpulist)
DAEMON  := $(filter-out $(B)/daemon/host/hostd.o,$(call objs,daemon/*.c daemon/host/*.c))
WORKER  := $(filter-out $(B)/worker/jail%.o $(B)/worker/runner.o,$(call objs,worker/*.c))
RUNNER  := $(B)/worker/runner.o $(call objs,worker/rt/*.c) $(B)/proto/image.o
JAIL    := $(call objs,worker/jail*.c) $(B)/worker/sweep.o
CLIENT  := $(call objs,client/*.c client/lib/*.c)
# what applications link to make checkpoint images: libc only
CHECKPOINT := $(call objs,client/checkpoint/*.c)
PROGS   := $(addprefix $(B)/,assayd assay-hostd assay-worker assay-jail assay-runner assay)
TESTS   := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(PROGS) $(B)/libassay-checkpoint.a

# The link lines are the architecture: a runner gets libc and libm, nothing else.
$(B)/assayd:       LDLIBS = $(call pkg,libs,libevent sqlite3 jansson hwloc libcrypto) -lm
# jansson only writes here: nothing parses JSON as root
$(B)/assay-hostd:  LDLIBS = $(call pkg,libs,jansson)
$(B)/assay-worker: LDLIBS = $(call pkg,libs,jansson libcrypto) -lpfm -lm
$(B)/assay-jail:   LDLIBS = $(call pkg,libs,libseccomp)
# it starts once per compilation: a third of that is the dynamic linker's
$(B)/assay-jail:   override LDFLAGS += $(if $(filter asan fuzz,$(MODE)),,-static)
$(B)/assay-runner: LDLIBS = -ldl -lm
$(B)/assay-runner: override LDFLAGS += -rdynamic
$(B)/assay:        LDLIBS = $(call pkg,libs,libcurl jansson) -lm
$(B)/assayd:       $(DAEMON) $(PROTO)
$(B)/assay-hostd:  $(HOSTD)
$(B)/assay-worker: $(WORKER) $(B)/worker/rt/fill.o $(B)/worker/rt/flush.o $(PROTO)
$(B)/assay-jail:   $(JAIL)
$(B)/assay-runner: $(RUNNER)
$(B)/assay:        $(CLIENT) $(PROTO)
$(PROGS):
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(B)/libassay-checkpoint.a: $(CHECKPOINT)
	$(Q)rm -f $@ && ar rcs $@ $^
$(B)/client/checkpoint/%.o: override CFLAGS += -fPIC -fno-sanitize=all
$(B)/worker/driver.o: worker/rt/rt.h
$(B)/daemon/migrations.o: $(wildcard schema/*.sql)

# Unit tests and fuzzers link everything but the mains; a runner's objects only where a test asks for them.
UNDER_TEST := $(filter-out %/main.o,$(DAEMON) $(WORKER) $(CLIENT)) $(PROTO) $(call objs,worker/rt/*.c) $(CHECKPOINT)
$(TESTS) $(FUZZERS): LDLIBS = $(call pkg,libs,libevent sqlite3 jansson hwloc libcrypto libcurl cmocka) -lpfm -ldl -lm
$(B)/libtest.a: $(UNDER_TEST)
	$(Q)rm -f $@ && ar rcs $@ $^
$(TESTS): $(B)/tests/%: $(B)/tests/unit/%.o $(B)/libtest.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/tests/decode_job: LDLIBS = $(call pkg,libs,jansson) -lm
$(B)/tests/decode_job: $(B)/tests/support/decode_job.o $(PROTO)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
GUEST   := $(addprefix $(B)/tests/guest_,client cell build team)
$(GUEST): LDLIBS =
$(B)/tests/guest_client: $(B)/tests/guest/client.o $(addprefix $(B)/,daemon/host/hostd_link.o proto/cpulist.o \
    proto/fault.o proto/name.o proto/status.o)
$(B)/tests/guest_cell: $(B)/tests/guest/cell.o $(addprefix $(B)/,worker/spawn.o worker/cell.o worker/sweep.o \
    proto/fault.o proto/name.o proto/status.o)
$(B)/tests/guest_build: $(B)/tests/guest/build.o $(addprefix $(B)/,worker/compile.o worker/spawn.o worker/cell.o \
    worker/sweep.o $(patsubst %,daemon/host/%.o,delegation cgroup hostfs) proto/fault.o proto/name.o proto/status.o)
$(B)/tests/guest_team: $(B)/tests/guest/team.o $(B)/libtest.a
$(B)/tests/guest_team: LDLIBS = $(call pkg,libs,jansson libcrypto) -lpfm -lm
$(GUEST):
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# benches: the jail's own cost, and a worker without one (libtest.a's spawn.o is not needed then, and not taken)
BENCHES := $(addprefix $(B)/tests/,jail_cost worker_without_jail)
$(B)/tests/jail_cost: $(B)/tests/bench/jail_cost.o $(B)/libtest.a
$(B)/tests/worker_without_jail: $(B)/worker/main.o $(B)/tests/bench/no_jail.o $(B)/libtest.a
$(BENCHES): LDLIBS = $(call pkg,libs,jansson libcrypto) -lpfm -lm
$(BENCHES):
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(FUZZERS): $(B)/%: $(B)/tests/fuzz/%.o $(B)/libtest.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

demo:
	deploy/bootstrap
	@$(MAKE) --no-print-directory all
	tests/kernels/demo.sh $(B)
check:
	deploy/bootstrap
	@$(MAKE) --no-print-directory all tests
	tests/run.sh $(B)
check-asan:
	@$(MAKE) --no-print-directory MODE=asan all tests
	tests/run.sh build/asan
check-guest: $(B)/assay-hostd $(B)/assay-jail $(B)/assay-runner $(GUEST)
	tests/guest/run.sh $(B)
tests: $(TESTS) $(B)/tests/decode_job $(GUEST) $(BENCHES)
bench: all $(BENCHES)
	tests/bench/run.sh $(B)
experiments: all
	tests/experiments/run.sh $(B)
FUZZ_SECONDS ?= 180
fuzz:
	@$(MAKE) --no-print-directory MODE=fuzz fuzzers
	tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)
fuzzers: $(FUZZERS)

BIN := $(DESTDIR)$(PREFIX)/bin
LIBEXEC := $(DESTDIR)$(PREFIX)/libexec/assay
MAN := $(DESTDIR)$(PREFIX)/share/man
LIB := $(DESTDIR)$(PREFIX)/lib
ETC := $(DESTDIR)/etc
# not in /etc/apparmor.d: there it would be loaded, and AppArmor before 4.0, which forbids no namespaces, cannot read it
SHARE := $(DESTDIR)$(PREFIX)/share/assay
# files that name where programs are
placed = sed 's,@BINDIR@,$(PREFIX)/bin,g; s,@LIBEXECDIR@,$(PREFIX)/libexec/assay,g' $(1) > $(2)
install: all
	install -d $(BIN) $(LIBEXEC) $(DESTDIR)$(PREFIX)/include/assay $(MAN)/man1 $(MAN)/man3 $(MAN)/man7 $(MAN)/man8 $(LIB)/systemd/system $(LIB)/sysusers.d \
	    $(LIB)/tmpfiles.d $(ETC)/assay $(SHARE)/apparmor
	install -m 755 $(B)/assay $(B)/assayd $(BIN)
	install -m 755 $(B)/assay-worker $(B)/assay-jail $(B)/assay-runner $(B)/assay-hostd $(LIBEXEC)
	install -m 644 $(B)/libassay-checkpoint.a $(LIB)
	install -m 644 client/checkpoint/checkpoint.h $(DESTDIR)$(PREFIX)/include/assay
	install -m 644 client/*.1 $(MAN)/man1
	install -m 644 client/checkpoint/*.3 $(MAN)/man3
	install -m 644 daemon/*.7 $(MAN)/man7
	install -m 644 daemon/*.8 daemon/host/*.8 $(MAN)/man8
	install -m 644 deploy/sysusers.conf $(LIB)/sysusers.d/assay.conf
	install -m 644 deploy/tmpfiles.conf $(LIB)/tmpfiles.d/assay.conf
	for u in deploy/systemd/*; do $(call placed,$$u,$(LIB)/systemd/system/$$(basename $$u)); done
	$(call placed,deploy/apparmor/assay,$(SHARE)/apparmor/assay)
	for c in assayd hostd; do test -e $(ETC)/assay/$$c.conf || install -m 644 deploy/$$c.conf $(ETC)/assay; done
clean:
	rm -rf build
.PHONY: all tests demo check check-asan check-guest bench experiments fuzz fuzzers install clean
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
