// SPDX-License-Identifier: Apache-2.0
//
// assay-clang: clang as a library, because clang has no C interface to its compiler.
//
//   assay-clang OPTION ... FILE    clang's driver, as clang would be called
//   assay-clang -cc1 ...           its compiler, once
//   assay-clang -cc1as ...         as, for the driver's sources of assembly
//   assay-clang --template         a template: a builder's orders come on descriptor 4
//
// A template has loaded clang's libraries and compiled a routine, so that its children find code
// and tables in memory.  Each order has a child of its own, with limits of its own.  A child has
// neither the socket nor the right to start processes; what it can write is the two files of its
// order.  The template itself reads no source but its own, and only forks and waits.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <link.h>
#include <linux/mman.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticFrontend.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Stack.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/ToolChain.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendDiagnostic.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/FrontendTool/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include "worker/build/recipe/clang_inproc.h"

using words = llvm::SmallVector<const char *, 256>;

// Where clang itself is, or would be: its headers and its choice of a linker follow from that.
static const char	clang_path[] = ASSAY_LLVM "/bin/clang";

#define SOURCE_NAME	"warm.c"

enum { CODE_FAILED = 1, CODE_BROKEN = 70, COPIED_BYTES = 1 << 20, HUGE_BYTES = 2 << 20,
	HOST_SHARE = 32, ROOM_BYTES = 2 << 20, MAPPED_BYTES = 32 << 20 };

// ---- the compiler ----

static void
on_fatal_error(void *diagnostics, const char *message, bool)
{
	static_cast<clang::DiagnosticsEngine *>(diagnostics)->Report(
	    clang::diag::err_fe_error_backend) << message;
	llvm::sys::Process::Exit(CODE_BROKEN, true);
}

// Words after -cc1.  The object goes to object_fd; -1: to the file that they name.  A source, if it
// is not null, stands for the file SOURCE_NAME.
static int
compile(llvm::ArrayRef<const char *> args, int object_fd, const char *source)
{
	auto	 clang = std::make_unique<clang::CompilerInstance>();
	auto	*early = new clang::TextDiagnosticBuffer;

	clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs,
	    new clang::DiagnosticOptions, early);
	bool good = clang::CompilerInvocation::CreateFromArgs(clang->getInvocation(), args,
	    diagnostics, clang_path);
	clang->createDiagnostics();
	if (!clang->hasDiagnostics())
		return CODE_FAILED;
	early->FlushDiagnostics(clang->getDiagnostics());
	if (!good) {
		clang->getDiagnosticClient().finish();
		return CODE_FAILED;
	}
	if (source != nullptr)
		clang->getPreprocessorOpts().addRemappedFile(SOURCE_NAME,
		    llvm::MemoryBuffer::getMemBuffer(source).release());
	llvm::install_fatal_error_handler(on_fatal_error, &clang->getDiagnostics());
	if (object_fd != -1)
		clang->setOutputStream(std::make_unique<llvm::raw_fd_ostream>(object_fd, false));
	good = clang::ExecuteCompilerInvocation(clang.get());
	llvm::remove_fatal_error_handler();
	if (clang->getFrontendOpts().DisableFree)
		(void)clang.release();
	llvm::outs().flush();
	return good ? 0 : CODE_FAILED;
}

// ---- the driver ----

// Where this program is in its jail, which has no /proc.
static std::string
own_path(const char *called)
{
	const auto	 name = getauxval(AT_EXECFN);
	const char	*path = name != 0 ? reinterpret_cast<const char *>(name) : called;

	return path;
}

static int
drive(llvm::ArrayRef<const char *> args)
{
	llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options =
	    new clang::DiagnosticOptions;
	auto	*printer = new clang::TextDiagnosticPrinter(llvm::errs(), &*options);
	words	 all(args.begin(), args.end());

	clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options, printer);
	printer->setPrefix("clang");
	clang::driver::Driver driver(clang_path, llvm::sys::getDefaultTargetTriple(), diagnostics);
	driver.ClangExecutable = own_path(args[0]);
	driver.setTargetAndMode(
	    clang::driver::ToolChain::getTargetAndModeFromProgramName("clang"));
	all[0] = clang_path;
	all.insert(all.begin() + 1, "--driver-mode=gcc");
	std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(all));
	llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 4> failed;
	int	 code = CODE_FAILED;

	if (compilation && !compilation->containsError())
		code = driver.ExecuteCompilation(*compilation, failed);
	for (const auto &command : failed)
		if (code == 0 || command.first < 0)
			code = command.first < 0 ? CODE_BROKEN : command.first;
	diagnostics.getClient()->finish();
	return code;
}

// ---- assembly ----

// Beside a variant, and pads of layouts: clang's own assembler is in no library.
static int
assemble(llvm::ArrayRef<const char *> args)
{
	const char	*as[] = { "as", "-o", "", args.back(), nullptr };

	for (size_t i = 0; i + 1 < args.size(); i++)
		if (strcmp(args[i], "-o") == 0)
			as[2] = args[i + 1];
	(void)execvp(as[0], const_cast<char *const *>(as));
	llvm::errs() << "fatal error: cannot execute as: " << strerror(errno) << "\n";
	return CODE_FAILED;
}

// ---- the template ----

static bool
receive(int fds[INPROC_FDS], inproc_order *order)
{
	alignas(cmsghdr) char	control[CMSG_SPACE(INPROC_FDS * sizeof(int))];
	iovec			data = { order, sizeof *order };
	msghdr			message = {};

	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof control;
	ssize_t	n;
	do
		n = recvmsg(INPROC_FD, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n == -1 && errno == EINTR);
	const cmsghdr	*first = n == sizeof *order ? CMSG_FIRSTHDR(&message) : nullptr;
	if (first == nullptr || first->cmsg_type != SCM_RIGHTS ||
	    first->cmsg_len != CMSG_LEN(INPROC_FDS * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(first), INPROC_FDS * sizeof(int));
	return true;
}

static bool
limit(int resource, rlim_t soft, rlim_t hard)
{
	rlimit	now;

	if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) == -1)
		return false;
	now.rlim_max = std::min(hard, now.rlim_max);
	now.rlim_cur = std::min(soft, now.rlim_max);
	return setrlimit(static_cast<__rlimit_resource_t>(resource), &now) == 0;
}

// No process: so a child's memory is all of its build's, and nothing of it is left behind.
static bool
enter_limits(const inproc_order &order)
{
	return (order.memory_bytes == 0 || limit(RLIMIT_AS, order.memory_bytes,
	    order.memory_bytes)) && limit(RLIMIT_FSIZE, order.file_bytes, order.file_bytes) &&
	    limit(RLIMIT_CPU, order.cpu_s, order.cpu_s + 1) && limit(RLIMIT_NPROC, 0, 0);
}

static bool
take_words(int fd, std::vector<char> &text, words &all)
{
	struct stat	sb;

	if (fstat(fd, &sb) == -1 || sb.st_size <= 0 || sb.st_size > INPROC_WORDS_BYTES)
		return false;
	text.resize(static_cast<size_t>(sb.st_size));
	if (pread(fd, text.data(), text.size(), 0) != sb.st_size || text.back() != '\0')
		return false;
	for (const char *at = text.data(); at < text.data() + text.size(); at += strlen(at) + 1)
		all.push_back(at);
	return strcmp(all[0], "-cc1") == 0;
}

// What a compilation takes anew, its pages at once: a fault for each costs several times as much.
static void
make_room()
{
	const auto	page = static_cast<uintptr_t>(getpagesize());
	char *const	room = static_cast<char *>(malloc(ROOM_BYTES));

	if (room == nullptr)
		return;
	auto *const	first = reinterpret_cast<char *>(
			    (reinterpret_cast<uintptr_t>(room) + page - 1) & ~(page - 1));
	(void)madvise(first, ROOM_BYTES - page, MADV_POPULATE_WRITE);
	free(room);
}

[[noreturn]] static void
be_child(const inproc_order &order, const int fds[INPROC_FDS])
{
	std::vector<char>	text;
	words			all;

	if (dup2(fds[INPROC_OUTPUT], STDOUT_FILENO) == -1 ||
	    dup2(fds[INPROC_OUTPUT], STDERR_FILENO) == -1 || close(INPROC_FD) == -1 ||
	    !take_words(fds[INPROC_WORDS], text, all) || !enter_limits(order))
		_exit(CODE_BROKEN);
	make_room();
	clang::noteBottomOfStack();
	_exit(compile(llvm::ArrayRef(all).drop_front(), fds[INPROC_OBJECT], nullptr));
}

static bool
serve(const inproc_order &order, const int fds[INPROC_FDS])
{
	inproc_end	end = {};
	const pid_t	child = fork();

	if (child == 0)
		be_child(order, fds);
	for (int i = 0; i < INPROC_FDS; i++)
		close(fds[i]);
	if (child == -1)
		return false;
	while (waitpid(child, &end.status, 0) == -1)
		if (errno != EINTR)
			return false;
	return send(INPROC_FD, &end, sizeof end, MSG_NOSIGNAL) == sizeof end;
}

// What a variant is like: loops that become vector code, and calls.
static const char	warm_source[] =
    "double assay_warm(int n, const double *x, double *y)\n"
    "{\n"
    "	double s = 0;\n"
    "	for (int i = 0; i < n; i++) {\n"
    "		y[i] = 2.0 * x[i] + y[i];\n"
    "		s += x[i] * y[i];\n"
    "	}\n"
    "	return s;\n"
    "}\n";

static bool
warm_up()
{
	const int		 object = memfd_create("assay-warm", MFD_CLOEXEC);
	const std::string	 triple = llvm::sys::getDefaultTargetTriple();
	const std::string	 cpu = llvm::sys::getHostCPUName().str();
	const char *const	 args[] = { "-triple", triple.c_str(), "-emit-obj",
				    "-disable-free", "-mrelocation-model", "pic", "-pic-level", "2",
				    "-target-cpu", cpu.c_str(), "-O3", "-vectorize-loops",
				    "-vectorize-slp", "-o", "warm.o", "-x", "c", SOURCE_NAME };

	return object != -1 && compile(args, object, warm_source) == 0 && close(object) == 0;
}

// What a library has that is only read: code and tables.
struct text {
	char	*first;
	size_t	 bytes;
	int	 access;
};

// Their copies in pages of two megabytes: a fork copies one entry for each, children fault in none
// of them, and the CPU's buffers of addresses hold more code.  false: the kernel has no such pages.
static bool
move_to_huge_pages(const text &whole)
{
	const auto	 above = [](const void *at) {
		return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(at) +
		    HUGE_BYTES - 1) & ~static_cast<uintptr_t>(HUGE_BYTES - 1)); };
	char *const	 first = above(whole.first);
	const size_t	 before = static_cast<size_t>(first - whole.first);
	const size_t	 bytes = whole.bytes > before ?
			    (whole.bytes - before) & ~static_cast<size_t>(HUGE_BYTES - 1) : 0;
	void *const	 room = mmap(nullptr, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		return false;
	char *const	 copy = above(room);
	bool		 moved = bytes > 0 && madvise(copy, bytes, MADV_HUGEPAGE) == 0;
	if (moved)
		memcpy(copy, first, bytes);
	moved = moved && madvise(copy, bytes, MADV_COLLAPSE) == 0 &&
	    mprotect(copy, bytes, whole.access) == 0 &&
	    mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, first) == first;
	(void)munmap(room, bytes + HUGE_BYTES);		// where the copy was there is nothing now
	return moved;
}

// A fork leaves out the page tables of files that are only read: a child would fault in the
// library's code and tables once more.  A mapping with one page of its own is copied whole.
static void
own_a_page(const text &whole)
{
	if (mprotect(whole.first, whole.bytes, whole.access | PROT_WRITE) == -1)
		return;
	auto	*byte = static_cast<volatile char *>(whole.first);
	*byte = *byte;
	(void)mprotect(whole.first, whole.bytes, whole.access);
}

// Huge pages are memory of this process: for clang alone, up to a share of the host's.
static bool
deserves_huge_pages(const dl_phdr_info &object, const text &whole)
{
	const auto	pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
	const size_t	host_bytes = pages * static_cast<size_t>(getpagesize());

	return (strstr(object.dlpi_name, "/libLLVM") != nullptr ||
	    strstr(object.dlpi_name, "/libclang-cpp") != nullptr) &&
	    whole.bytes <= host_bytes / HOST_SHARE;
}

static int
prepare_for_forks(dl_phdr_info *object, size_t, void *)
{
	const auto	page = static_cast<uintptr_t>(getpagesize());

	for (int i = 0; i < object->dlpi_phnum; i++) {
		const auto	&part = object->dlpi_phdr[i];
		const uintptr_t	 first = (object->dlpi_addr + part.p_vaddr) & ~(page - 1);
		const uintptr_t	 end = object->dlpi_addr + part.p_vaddr + part.p_filesz;
		const text	 whole = { reinterpret_cast<char *>(first), end - first,
				    PROT_READ | (part.p_flags & PF_X ? PROT_EXEC : 0) };

		if (part.p_type != PT_LOAD || (part.p_flags & PF_W) || whole.bytes < COPIED_BYTES)
			continue;
		if (!deserves_huge_pages(*object, whole) || !move_to_huge_pages(whole))
			own_a_page(whole);
	}
	return 0;
}

static int
be_template()
{
	inproc_order	order;
	int		fds[INPROC_FDS];

	(void)prctl(PR_SET_DUMPABLE, 0);	// a child may not look into it
	// all memory of a child is one piece, which it keeps (make_room)
	(void)mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
	(void)mallopt(M_TRIM_THRESHOLD, MAPPED_BYTES);
	(void)dl_iterate_phdr(prepare_for_forks, nullptr);
	if (!warm_up())
		return CODE_BROKEN;
	while (receive(fds, &order))
		if (!serve(order, fds))
			return CODE_BROKEN;
	return 0;
}

int
main(int argc, char **argv)
{
	llvm::InitializeNativeTarget();
	llvm::InitializeNativeTargetAsmPrinter();
	llvm::InitializeNativeTargetAsmParser();
	clang::noteBottomOfStack();
	if (argc == 2 && strcmp(argv[1], INPROC_TEMPLATE) == 0)
		return be_template();
	if (argc > 1 && strcmp(argv[1], "-cc1") == 0)
		return compile(llvm::ArrayRef<const char *>(argv + 2, argv + argc), -1, nullptr);
	if (argc > 2 && strcmp(argv[1], "-cc1as") == 0)
		return assemble(llvm::ArrayRef<const char *>(argv + 2, argv + argc));
	return drive(llvm::ArrayRef<const char *>(argv, argv + argc));
}
