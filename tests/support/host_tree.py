# SPDX-License-Identifier: Apache-2.0
"""The files below / from which hwloc and assayd know a host's CPUs, for --sysfs-root."""
import pathlib


class HostTree:
    def __init__(self, root, cpus, threads=1):
        """CPUs in cores of so many threads, in one package."""
        self.cpu_dir = pathlib.Path(root) / "sys/devices/system/cpu"
        for cpu in range(cpus):
            core = cpu // threads
            self._put(cpu, "core_cpus", f"{((1 << threads) - 1) << (core * threads):x}")
            self._put(cpu, "package_cpus", f"{(1 << cpus) - 1:x}")
            self._put(cpu, "core_id", core)
            self._put(cpu, "physical_package_id", 0)
        for name in ("online", "possible", "present"):
            (self.cpu_dir / name).write_text(f"0-{cpus - 1}\n")

    def _put(self, cpu, name, value):
        path = self.cpu(cpu) / "topology" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n")

    def cpu(self, cpu):
        """The directory on which daemons lock."""
        return self.cpu_dir / f"cpu{cpu}"
