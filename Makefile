# Assay.  make · demo · check · check-timing · check-asan · check-guest · bench · experiments
#         fuzz · install · uninstall · deb · check-deb · check-systemd · clean
CC      ?= gcc
# what sanitizers report are lines
OPT      = $(if $(filter asan,$(MODE)),-O2 -g1,-O2 -g)
CFLAGS  ?= $(OPT)
CXXFLAGS ?= $(OPT)
PREFIX  ?= /usr/local
DESTDIR ?=
# libraries and units, where a system has other places for them
LIBDIR  ?= $(PREFIX)/lib
UNITDIR ?= $(PREFIX)/lib/systemd/system
MODE    ?= release
# libclang has no file for pkg-config
LLVM    ?= /usr/lib/llvm-19
# release, asan and fuzz objects never meet
B       := build/$(MODE)
V       ?= 0
Q       := $(if $(filter 1,$(V)),,@)
say      = $(if $(filter 1,$(V)),,@printf '  %-4s %s\n' $(1) $(2))

WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla
override CPPFLAGS += -D_GNU_SOURCE -I. -MMD -MP
override CFLAGS   += -std=c11 $(WARN) $(if $(CI),-Werror)
override CXXFLAGS += -std=c++17 -Wall -Wextra -Wshadow -fno-rtti -fno-exceptions $(if $(CI),-Werror)
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

# Objects by room: a program is its folder and those below that are its own.
objs     = $(patsubst %.c,$(B)/%.o,$(foreach d,$(1),$(wildcard $(d)/*.c)))
rooms    = $(filter-out $(2),$(1) $(patsubst %/,%,$(wildcard $(1)/*/)))
PROTOS  := $(call objs,$(call rooms,proto))
PROTO   := $(B)/libproto.a
DAEMON  := $(call objs,$(call rooms,daemon,daemon/hostd) daemon/dispatch/station)
HOSTD   := $(call objs,daemon/hostd daemon/host)
# the supervisor fills, flushes and ends processes as a runner and a jail do
WORKER  := $(call objs,$(call rooms,worker,worker/jail worker/runner worker/starter worker/build) \
           $(call rooms,worker/build) worker/bench/proc worker/build/unit/read) \
           $(patsubst %,$(B)/worker/%.o, \
           runner/sample/fill runner/sample/flush runner/sample/sort \
           runner/sample/text jail/reap)
SAMPLE  := $(call objs,worker/runner/sample worker/runner/image worker/runner/method)
RUNNER  := $(call objs,worker/runner) $(SAMPLE)
# it filters, and looks at a core, as a runner does
STARTER := $(call objs,worker/starter) $(patsubst %,$(B)/worker/runner/%.o,bpf rules scratch \
           sample/canary sample/flush)
JAIL    := $(call objs,worker/jail)
# sends a webhook for the daemon, in a process of its own
NOTIFY  := $(call objs,daemon/notify/program) $(B)/daemon/notify/address.o
CLIENT  := $(call objs,$(call rooms,client,client/agent client/arena client/micro client/transform client/derive) client/search/strategy \
           client/print/results $(call rooms,client/cmd,client/cmd))
TRANSFORM := $(call objs,$(call rooms,client/transform) client/arena)
# of the transformations it takes the check of includes
MICRO   := $(call objs,$(call rooms,client/micro) client/arena)
SPEC    := $(call objs,client/derive) $(patsubst %,$(B)/client/%.o, \
           import/check import/foreign import/scan print/output)
# what clients link, apart from the same files in assay: code that can be anywhere
LIBASSAY := $(patsubst %.c,$(B)/shared/%.o,$(wildcard client/lib/*.c) proto/base/status.c \
           proto/json/scan.c)
# what applications link to make checkpoint images: libc only
CHECKPOINT := $(call objs,client/agent)
# clang in a process that stays, where its library is installed: the one program in C++
INPROC  := $(and $(shell command -v $(CXX)),$(wildcard $(LLVM)/lib/libclang-cpp.so),$(wildcard \
           $(LLVM)/include/clang/Frontend/CompilerInstance.h),$(wildcard \
           $(LLVM)/include/llvm/Support/raw_ostream.h),$(B)/assay-clang)
PROGS   := $(addprefix $(B)/,assayd assay-hostd assay-worker assay-jail assay-runner assay-starter \
           assay assay-transform assay-spec assay-micro assay-notify)
TESTS   := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
TIMING  := $(patsubst tests/timing/test_%.c,$(B)/tests/timing_%,$(wildcard tests/timing/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(PROGS) $(INPROC) $(B)/libassay-checkpoint.a $(B)/libassay.so.0 $(B)/libassay.a

# The link lines are the architecture: a runner gets libc and libm, nothing else.
$(B)/assayd:       LDLIBS = $(call pkg,libs,libevent libevent_openssl sqlite3 jansson hwloc openssl zlib) -lm
# jansson only writes here: nothing parses JSON as root
$(B)/assay-hostd:  LDLIBS = $(call pkg,libs,jansson)
$(B)/assay-worker: LDLIBS = $(call pkg,libs,jansson libcrypto) -lpfm -lm
$(B)/assay-jail:   LDLIBS = $(call pkg,libs,libseccomp)
# it starts once per compilation: a third of that is the dynamic linker's
$(B)/assay-jail:   override LDFLAGS += $(if $(filter asan fuzz,$(MODE)),,-static)
$(B)/assay-runner: LDLIBS = -ldl -lm
# its children would each look up again what the template has not called
$(B)/assay-runner: override LDFLAGS += -rdynamic -Wl,-z,now
$(B)/assay:        LDLIBS = $(call pkg,libs,libcurl jansson nlopt) -lm
$(B)/assay-transform: LDLIBS = -L$(LLVM)/lib -lclang-19 $(call pkg,libs,isl jansson) -lm
$(B)/assayd:       $(DAEMON) $(PROTO)
$(B)/assay-hostd:  $(HOSTD) $(PROTO)
$(B)/assay-worker: $(WORKER) $(PROTO)
$(B)/assay-jail:   $(JAIL)
$(B)/assay-notify: LDLIBS = $(call pkg,libs,libcurl jansson)
$(B)/assay-notify: $(NOTIFY)
$(B)/assay-runner: $(RUNNER) $(PROTO)
$(B)/assay-starter: $(STARTER)
$(B)/assay:        $(CLIENT) $(PROTO)
$(B)/assay-transform: $(TRANSFORM) $(PROTO)
$(B)/assay-micro:  LDLIBS = $(call pkg,libs,expat jansson) -lZydis
# a plugin calls the functions of assay-micro.h, and sees no other
$(B)/assay-micro:  override LDFLAGS += -Wl,--export-dynamic-symbol='assay_micro_*'
$(B)/assay-micro:  $(MICRO) $(PROTO)
$(B)/assay-spec:   LDLIBS = -L$(LLVM)/lib -lclang-19 $(call pkg,libs,libdw jansson) -lm
$(B)/assay-spec:   $(SPEC) $(B)/libtransform.a $(PROTO)
$(PROGS):
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
# clang's library has no run-time types and no sanitizer
$(B)/assay-clang: $(B)/worker/build/recipe/clang_inproc.o
	$(call say,LD,$@)
	$(Q)$(CXX) -o $@ $^ -L$(LLVM)/lib -lclang-cpp -lLLVM-19
$(B)/%.o: %.cc
	@mkdir -p $(@D)
	$(call say,CXX,$<)
	$(Q)$(CXX) $(CPPFLAGS) -DASSAY_LLVM='"$(LLVM)"' -isystem $(LLVM)/include $(CXXFLAGS) -c -o $@ $<
# a program takes what it uses of an archive: the one that runs as root has no parser in it
$(PROTO): $(PROTOS)
$(B)/libassay-checkpoint.a: $(CHECKPOINT)
$(B)/libtransform.a: $(filter-out %/main.o,$(TRANSFORM))
$(PROTO) $(B)/libassay-checkpoint.a $(B)/libtransform.a:
	$(Q)rm -f $@ && ar qcs $@ $^
$(B)/shared/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<
$(B)/libassay.so.0: $(LIBASSAY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,-soname,libassay.so.0 -o $@ $^ $(call pkg,libs,libcurl)
# one object, which shows the names of assay.h alone: those of proto/ would meet its user's
$(B)/libassay.a: $(LIBASSAY)
	$(call say,AR,$@)
	$(Q)$(CC) -r -nostdlib -o $(B)/shared/libassay.o $^
	$(Q)objcopy -w --keep-global-symbol='assay_*' $(B)/shared/libassay.o
	$(Q)rm -f $@ && ar qcs $@ $(B)/shared/libassay.o
$(B)/client/agent/%.o: override CFLAGS += -fPIC -fno-sanitize=all
$(B)/client/transform/%.o $(B)/client/derive/%.o: override CPPFLAGS += -isystem $(LLVM)/include
$(B)/proto/driver/driver.o: worker/runner/sample/rt.h
$(B)/client/driver/texts.o: $(wildcard worker/runner/sample/* worker/runner/alone/*) proto/base/clock.h
$(B)/client/cmd/complete/scripts.o: $(wildcard client/completion/*)
$(B)/worker/build/setup.o: worker/build/fill.h
$(B)/daemon/web/files.o: $(wildcard daemon/web/page/*)
$(B)/daemon/store/migrations.o: $(wildcard schema/*.sql)
$(B)/daemon/http/http_documents.o: $(wildcard schema/*.json)

# Unit tests and fuzzers link everything but the mains; a runner's objects only where a test asks for them.
UNDER_TEST := $(filter-out %/main.o,$(DAEMON) $(WORKER) $(CLIENT)) $(PROTOS) $(SAMPLE) $(CHECKPOINT) \
              $(patsubst %,$(B)/client/transform/%.o,script/script script/script_point) \
              $(B)/client/derive/poly.o $(filter-out %/main.o,$(MICRO))
UNDER_TEST += $(B)/worker/jail/needs.o $(B)/worker/jail/jail_steps.o $(B)/worker/starter/floor.o
$(TESTS) $(TIMING) $(FUZZERS): LDLIBS = -lpfm -lZydis -ldl -lm \
	$(call pkg,libs,libevent libevent_openssl sqlite3 jansson hwloc openssl zlib libcurl nlopt expat cmocka)
$(B)/libtest.a: $(UNDER_TEST) $(B)/tests/support/job_encode.o
	$(Q)rm -f $@ && ar qcs $@ $^
$(TESTS): $(B)/tests/%: $(B)/tests/unit/%.o $(B)/libtest.a
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(TIMING): $(B)/tests/timing_%: $(B)/tests/timing/test_%.o $(B)/libtest.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# this one has the transformations and their libraries
$(B)/tests/test_explore: override LDLIBS += -L$(LLVM)/lib -lclang-19 $(call pkg,libs,isl)
$(B)/tests/test_explore: $(B)/libtransform.a $(PROTO)
# this one sees the calls that a sample makes
STEPS := rt_canary rt_pace rt_settle rt_flush_lines rt_look_up rt_touch rt_store \
         rt_read_area rt_pollute rt_memory_canary rt_sentinel_read rt_sentinel_touch \
         rt_sentinel_read_far rt_sentinel_touch_far rt_proof_is_due rt_proof_look rt_proof_read \
         rt_state_is_due rt_state_look rt_image_restore rt_image_flush rt_image_before_call rt_wall_ns getrusage memcpy
$(B)/tests/test_rt_steps: override LDFLAGS += $(addprefix -Xlinker --wrap=,$(STEPS))
# and this one a part of a runner's filter
$(B)/tests/test_kept: $(addprefix $(B)/worker/runner/,bpf.o guard.o kept.o sample/memalign.o)
DECODERS := $(addprefix $(B)/tests/,decode_job decode_result print_members)
$(DECODERS): LDLIBS = $(call pkg,libs,jansson) -lm
$(DECODERS): $(B)/tests/%: $(B)/tests/support/%.o \
    $(B)/tests/support/job_encode.o $(PROTO)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# the caches that daemons of tests flush (tests/support/harness.py)
CACHES  := $(B)/tests/modest_caches
$(CACHES): LDLIBS = $(call pkg,libs,hwloc)
$(CACHES): $(B)/tests/support/modest_caches.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# the daemon with clocks that a test sets (tests/support/moved_clock.py)
MOVED   := $(B)/tests/assayd_moved_clock
$(MOVED): $(B)/tests/support/moved_clock.o $(DAEMON) $(PROTO)
$(MOVED): override LDFLAGS += -Xlinker --wrap=clock_gettime -Xlinker --wrap=time
# the daemon with a disk that remembers (tests/support/recorded_disk.py)
DISK    := $(B)/tests/assayd_recorded_disk
$(DISK): $(B)/tests/support/recorded_disk.o $(DAEMON) $(PROTO)
$(MOVED) $(DISK): LDLIBS = $(call pkg,libs,libevent libevent_openssl sqlite3 jansson hwloc openssl zlib) -lm
$(MOVED) $(DISK):
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
GUEST   := $(addprefix $(B)/tests/guest_,client cell build team)
$(GUEST): LDLIBS =
$(B)/tests/guest_client: $(B)/tests/guest/client.o $(B)/daemon/hold/hostd_link.o $(PROTO)
CELL    := $(addprefix $(B)/worker/,spawn/spawn.o spawn/cell.o spawn/large.o spawn/space.o jail/reap.o)
$(B)/tests/guest_cell: $(B)/tests/guest/cell.o $(CELL) $(PROTO)
$(B)/tests/guest_build: $(B)/tests/guest/build.o $(B)/worker/build/recipe/compile.o $(CELL) \
    $(patsubst %,$(B)/daemon/%.o,hold/delegation host/cgroup host/hostfs) $(PROTO)
$(B)/tests/guest_team: $(B)/tests/guest/team.o $(B)/libtest.a
$(B)/tests/guest_team: LDLIBS = $(call pkg,libs,jansson libcrypto) -lpfm -lm
$(GUEST):
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# benches: the jail's own cost, a worker without one (libtest.a's spawn.o is not needed then, and not taken), one that replays
BENCHES := $(addprefix $(B)/tests/,jail_cost worker_without_jail replay_replies)
$(B)/tests/replay_replies: $(B)/tests/support/replay_replies.o
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
# times that are measured and judged: for a quiet machine
check-timing: all $(TIMING)
	tests/run.sh $(B) timing
check-asan:
	@$(MAKE) --no-print-directory MODE=asan all tests
	tests/run.sh build/asan
check-guest: $(B)/assay-hostd $(B)/assay-jail $(B)/assay-runner $(GUEST)
	tests/guest/run.sh $(B)
# all of C, for a compiler that makes no code but has warnings
OBJECTS := $(sort $(PROTOS) $(DAEMON) $(HOSTD) $(WORKER) $(RUNNER) $(STARTER) $(JAIL) $(NOTIFY) $(CLIENT) \
           $(TRANSFORM) $(MICRO) $(SPEC) $(CHECKPOINT) $(call objs,$(addprefix tests/,bench guest support timing unit)))
objects: $(OBJECTS)
tests: $(TESTS) $(TIMING) $(DECODERS) $(CACHES) $(MOVED) $(DISK) $(GUEST) $(BENCHES)
bench: all $(BENCHES) $(TIMING)
	tests/run.sh $(B) timing || :
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
LIBS := $(DESTDIR)$(LIBDIR)
UNITS := $(DESTDIR)$(UNITDIR)
ETC := $(DESTDIR)/etc
# not in /etc/apparmor.d: there it would be loaded, and AppArmor before 4.0, which forbids no namespaces, cannot read it
SHARE := $(DESTDIR)$(PREFIX)/share/assay
COMPLETE := $(DESTDIR)$(PREFIX)/share
DOC := $(DESTDIR)$(PREFIX)/share/doc/assay
# files that name where programs are
VERSION := $(shell sed -n 's/.*ASSAY_VERSION.*"\(.*\)"/\1/p' proto/base/version.h)
placed = sed 's,@BINDIR@,$(PREFIX)/bin,g; s,@LIBEXECDIR@,$(PREFIX)/libexec/assay,g; \
         s,@PREFIX@,$(PREFIX),g; s,@LIBDIR@,$(LIBDIR),g; s,@VERSION@,$(VERSION),g' $(1) > $(2)
install: all
	install -d $(BIN) $(LIBEXEC) $(DESTDIR)$(PREFIX)/include/assay \
	    $(addprefix $(MAN)/man,1 3 5 7 8) $(LIBS)/pkgconfig $(UNITS) $(LIB)/sysusers.d \
	    $(LIB)/tmpfiles.d $(ETC)/assay $(SHARE)/apparmor $(SHARE)/schema $(SHARE)/python \
	    $(DOC)/examples/python $(COMPLETE)/bash-completion/completions \
	    $(COMPLETE)/zsh/site-functions $(COMPLETE)/fish/vendor_completions.d
	install -m 755 $(B)/assay $(B)/assayd deploy/assay-ca $(BIN)
	install -m 755 $(B)/assay-worker $(B)/assay-jail $(B)/assay-runner $(B)/assay-starter \
	    $(B)/assay-hostd $(B)/assay-transform $(B)/assay-spec $(B)/assay-micro \
	    $(B)/assay-notify $(INPROC) $(LIBEXEC)
	install -m 644 $(B)/libassay-checkpoint.a $(B)/libassay.a $(LIBS)
	install -m 644 $(B)/libassay.so.0 $(LIBS)
	ln -sf libassay.so.0 $(LIBS)/libassay.so
	$(call placed,client/lib/libassay.pc,$(LIBS)/pkgconfig/libassay.pc)
	install -m 644 client/agent/checkpoint.h client/lib/assay.h client/micro/plugin/assay-micro.h \
	    $(DESTDIR)$(PREFIX)/include/assay
	install -m 644 client/*.1 $(MAN)/man1
	install -m 644 client/agent/*.3 client/lib/*.3 client/micro/plugin/*.3 $(MAN)/man3
	install -m 644 schema/*.5 $(MAN)/man5
	install -m 644 daemon/*.7 $(MAN)/man7
	install -m 644 daemon/*.8 daemon/hostd/*.8 $(MAN)/man8
	install -m 644 schema/*.schema.json $(SHARE)/schema
	install -m 644 README.md LICENSE deploy/CHANGES.md proto/PROTOCOL.md $(DOC)
	install -m 644 deploy/README.md $(DOC)/OPERATORS.md
	install -m 644 tests/kernels/*.c tests/kernels/*.spec.json tests/kernels/*.script \
	    $(DOC)/examples
	install -m 644 client/completion/assay.bash $(COMPLETE)/bash-completion/completions/assay
	install -m 644 client/completion/assay.zsh $(COMPLETE)/zsh/site-functions/_assay
	install -m 644 client/completion/assay.fish $(COMPLETE)/fish/vendor_completions.d
	install -m 644 client/python/assay.py $(SHARE)/python
	install -m 644 client/python/examples/*.py $(DOC)/examples/python
	install -m 644 deploy/sysusers.conf $(LIB)/sysusers.d/assay.conf
	install -m 644 deploy/tmpfiles.conf $(LIB)/tmpfiles.d/assay.conf
	for u in deploy/systemd/*; do $(call placed,$$u,$(UNITS)/$$(basename $$u)); done
	$(call placed,deploy/apparmor/assay,$(SHARE)/apparmor/assay)
	for c in assayd hostd; do test -e $(ETC)/assay/$$c.conf || install -m 644 deploy/$$c.conf $(ETC)/assay; done
# Settings that were changed stay, and so does the state.
uninstall: all
	deploy/uninstall "$(DESTDIR)" "$(MAKE) --no-print-directory install PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) UNITDIR=$(UNITDIR)"
deb: all
	deploy/debian/build $(MODE) build/deb $(VERSION)
check-deb: deb
	tests/deploy/check_deb.sh build/deb
check-systemd: deb
	tests/deploy/check_systemd.sh build/deb
clean:
	rm -rf build
.PHONY: all objects tests demo check check-timing check-asan check-guest
.PHONY: bench experiments fuzz fuzzers install uninstall deb check-deb check-systemd clean
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
