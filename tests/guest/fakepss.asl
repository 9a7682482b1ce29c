// SPDX-License-Identifier: Apache-2.0
// Three P-states for each of a q35's four processors, so that the guest's acpi-cpufreq driver loads.  The ports are
// nobody's: a frequency that is set is remembered and changes nothing.
DefinitionBlock ("", "SSDT", 2, "ASSAY", "FAKEPSS", 1)
{
  External (\_SB.CPUS.C000, ProcessorObj)
  Scope (\_SB.CPUS.C000) {
    Name (_PPC, 0)
    Name (_PCT, Package (2) {
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F0, ) },
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F1, ) } })
    Name (_PSS, Package (3) {
      Package (6) { 3000, 30000, 10, 10, 0, 0 },
      Package (6) { 2000, 20000, 10, 10, 1, 1 },
      Package (6) { 1000, 10000, 10, 10, 2, 2 } })
  }
  External (\_SB.CPUS.C001, ProcessorObj)
  Scope (\_SB.CPUS.C001) {
    Name (_PPC, 0)
    Name (_PCT, Package (2) {
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F0, ) },
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F1, ) } })
    Name (_PSS, Package (3) {
      Package (6) { 3000, 30000, 10, 10, 0, 0 },
      Package (6) { 2000, 20000, 10, 10, 1, 1 },
      Package (6) { 1000, 10000, 10, 10, 2, 2 } })
  }
  External (\_SB.CPUS.C002, ProcessorObj)
  Scope (\_SB.CPUS.C002) {
    Name (_PPC, 0)
    Name (_PCT, Package (2) {
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F0, ) },
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F1, ) } })
    Name (_PSS, Package (3) {
      Package (6) { 3000, 30000, 10, 10, 0, 0 },
      Package (6) { 2000, 20000, 10, 10, 1, 1 },
      Package (6) { 1000, 10000, 10, 10, 2, 2 } })
  }
  External (\_SB.CPUS.C003, ProcessorObj)
  Scope (\_SB.CPUS.C003) {
    Name (_PPC, 0)
    Name (_PCT, Package (2) {
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F0, ) },
      ResourceTemplate () { Register (SystemIO, 8, 0, 0x9F1, ) } })
    Name (_PSS, Package (3) {
      Package (6) { 3000, 30000, 10, 10, 0, 0 },
      Package (6) { 2000, 20000, 10, 10, 1, 1 },
      Package (6) { 1000, 10000, 10, 10, 2, 2 } })
  }
}
