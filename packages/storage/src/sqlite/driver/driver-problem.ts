import { needsOlderDriver } from './load-driver.ts'

/** What the texts depend on. */
interface DriverPlace {
  /** See `needsOlderDriver`. */
  readonly isOlderNode: boolean
  /** Version of Node, without `v`. */
  readonly node: string
  /** Operating system and processor, such as linux-x64. */
  readonly system: string
}

const orElse = 'Or keep the store in memory or in PostgreSQL.'

const compilers = `
      Debian, Ubuntu: apt-get install g++ make python3
      Fedora:         dnf install gcc-c++ make python3
      macOS:          xcode-select --install
      Windows:        Visual Studio Build Tools with "Desktop development with C++", and Python`

/** Says what to do without the optional packages. */
export function packagesAreMissing(names: string): string {
  return `the store on disk needs ${names}, not installed here: run npm install ${names}\n${orElse}`
}

/** Returns whether an error says that a package is not installed. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') && message.includes(`'${name}'`)
}

/** Returns what is wrong with the driver and what to do; undefined when an error is about something else. */
export function driverProblem(error: unknown, place: DriverPlace = here()): string | undefined {
  if (isMissing(error, 'better-sqlite3') || isMissing(error, '@sluice/sqlite-older-node'))
    return place.isOlderNode ? notCompiled(place) : packagesAreMissing('better-sqlite3@13 kysely')
  if (isWithoutBinary(error)) return place.isOlderNode ? notCompiled(place) : noBinary(place)
  return undefined
}

/** Returns whether the package is there, and its native part is not, or is for another system or version of Node. */
function isWithoutBinary(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'MODULE_NOT_FOUND') return message.includes('better_sqlite3.node')
  return code === 'ERR_DLOPEN_FAILED' || message.startsWith('Could not locate the bindings file')
}

/** npm leaves an optional package out when it cannot be compiled, pnpm leaves it as it was. Neither reports that. */
function notCompiled({ node }: DriverPlace): string {
  return `the store on disk needs better-sqlite3, which is not compiled for Node ${node}. One of:
  - use Node 22.14 or newer, where nothing is compiled, and install again
  - install a compiler:${compilers}
    Then run:
      with npm:       npm install && npm rebuild better-sqlite3
      with pnpm:      pnpm approve-builds && pnpm rebuild better-sqlite3
      in a checkout:  npx pnpm@10 rebuild better-sqlite3
${orElse}`
}

function noBinary({ system, node }: DriverPlace): string {
  return `the store on disk needs better-sqlite3, which has no binary for this system (${system}, Node ${node}): there is one for Linux with glibc 2.34 or musl, macOS and Windows, each x64 and arm64. One of:
  - use such a system
  - install a compiler:${compilers}
    Then run: npm explore better-sqlite3 -- npm run build-release
${orElse}`
}

function here(): DriverPlace {
  const { platform, arch, versions } = process
  return { isOlderNode: needsOlderDriver(), node: versions.node, system: `${platform}-${arch}` }
}
