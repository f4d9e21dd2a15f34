import { describe, expect, it } from 'vitest'
import { driverProblem, isMissing, packagesAreMissing } from './driver-problem.ts'

const older = { isOlderNode: true, node: '20.19.0', system: 'linux-x64' }
const newer = { isOlderNode: false, node: '24.21.0', system: 'linux-arm' }
const failure = (code: string | undefined, message: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })
const notInstalled = failure('MODULE_NOT_FOUND', `Cannot find module 'better-sqlite3'\nRequire stack: …`)
const withoutOlder = failure('MODULE_NOT_FOUND', `Cannot find module '@sluice/sqlite-older-node'\nRequire stack: …`)
const notBuilt = failure(undefined, 'Could not locate the bindings file. Tried: …')
const otherNode = failure('ERR_DLOPEN_FAILED', 'was compiled against a different Node.js version')
const noPrebuilt = failure(
  'MODULE_NOT_FOUND',
  `Cannot find module '/node_modules/better-sqlite3/build/Release/better_sqlite3.node'`,
)
const compilers = [
  'Debian, Ubuntu: apt-get install g++ make python3\n',
  'Fedora:         dnf install gcc-c++ make python3\n',
  'macOS:          xcode-select --install\n',
  'Windows:        Visual Studio Build Tools with "Desktop development with C++"',
]

describe('the problem with the driver', () => {
  const cases = [
    { name: 'was left out, because it could not be compiled', error: withoutOlder },
    { name: 'has no driver in it', error: notInstalled },
    { name: 'was not compiled', error: notBuilt },
    { name: 'was compiled for another version of Node', error: otherNode },
  ]
  for (const { name, error } of cases) {
    it(`is, when the package for an older Node ${name}, a text with the way without a compiler and the compilers`, () => {
      const text = driverProblem(error, older) ?? ''
      expect(text).toMatch(/^the store on disk needs better-sqlite3, which is not compiled for Node 20\.19\.0\. /)
      expect(text).toContain('use Node 22.14 or newer, where nothing is compiled')
      for (const each of compilers) expect(text).toContain(each)
      expect(text).toMatch(/\nOr keep the store in memory or in PostgreSQL\.$/)
    })
  }

  it('is, on a newer Node, a command when the package is not installed: nothing is compiled there', () => {
    const text = driverProblem(notInstalled, newer)
    expect(text).toContain('run npm install better-sqlite3@13 kysely\n')
    expect(text).not.toContain('compile')
  })

  for (const error of [noPrebuilt, otherNode]) {
    it(`is, on a newer Node, the systems with a binary, and the compilers for others: ${error.message.slice(0, 18)}`, () => {
      const text = driverProblem(error, newer) ?? ''
      expect(text).toContain('has no binary for this system (linux-arm, Node 24.21.0)')
      expect(text).toContain('glibc 2.34')
      expect(text).toContain('npm explore better-sqlite3 -- npm run build-release')
      for (const each of compilers) expect(text).toContain(each)
    })
  }

  it('is none when the error is about something else', () => {
    expect(driverProblem(failure('SQLITE_CANTOPEN', 'unable to open database file'), newer)).toBeUndefined()
    expect(driverProblem(failure('MODULE_NOT_FOUND', `Cannot find module 'bindings'`), newer)).toBeUndefined()
  })

  it('names a missing query builder alone', () => {
    expect(isMissing(failure('ERR_MODULE_NOT_FOUND', `Cannot find package 'kysely' imported from …`), 'kysely')).toBe(
      true,
    )
    expect(packagesAreMissing('kysely')).toContain('run npm install kysely\n')
  })
})
