import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import timersPromises from 'node:timers/promises'
import { afterEach } from 'vitest'

/**
 * Holds the rule of the `fast` project: a test starts no process, connects to no server of another one, and never sleeps.
 * A file that must do one of these belongs to the `system` project: see `test/projects.ts`.
 */

/** Longest real timer that a test may set, in milliseconds: enough to let a server's turn pass, too short to sleep. */
const timerMsMax = 50

const broken: string[] = []
/** Ports at which this process listens or has listened. */
const ownPorts = new Set<number>()

/** Replaces a function of a built-in module, with its properties, such as those that `promisify` reads. */
function replace<T extends object, K extends keyof T>(holder: T, name: K, by: (real: T[K]) => unknown): void {
  const real = holder[name]
  holder[name] = Object.defineProperties(by(real) as object, Object.getOwnPropertyDescriptors(real)) as T[K]
}

/** Marks what is replaced already: files share their modules, and this one runs before each of them. */
const marked = globalThis as { sluiceFastRules?: true }

if (!marked.sluiceFastRules) {
  marked.sluiceFastRules = true
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)
    replace(childProcess, name, () => (command: unknown) => {
      throw new Error(`A test of the fast project starts no process, got: ${command}. Make it a test of system.`)
    })

  replace(
    net.Server.prototype,
    'listen',
    (real) =>
      function (this: net.Server, ...args: never[]) {
        this.once('listening', () => {
          const address = this.address()
          if (typeof address === 'object' && address !== null) ownPorts.add(address.port)
        })
        return Reflect.apply(real, this, args)
      },
  )
  replace(
    net.Socket.prototype,
    'connect',
    (real) =>
      function (this: net.Socket, ...args: never[]) {
        this.once('connect', () => {
          const { remotePort, remoteAddress } = this
          // A socket file has no port.
          if (remotePort !== undefined && ownPorts.has(remotePort)) return
          broken.push(`connected to a server of another process: ${remoteAddress}:${remotePort}`)
          this.destroy()
        })
        return Reflect.apply(real, this, args)
      },
  )

  for (const name of ['setTimeout', 'setInterval'] as const)
    replace(globalThis, name, (real) => (run: () => void, ms: number, ...args: unknown[]) => {
      refuseSleep(ms)
      return Reflect.apply(real as never, undefined, [run, ms, ...args])
    })
  replace(timersPromises, 'setTimeout', (real) => (ms: number, ...args: unknown[]) => {
    refuseSleep(ms)
    return Reflect.apply(real as never, undefined, [ms, ...args])
  })
  syncBuiltinESMExports()
}

/** @throws Error when code of a test sets a long timer. Time-outs that the product sets, and ends early, are its own. */
function refuseSleep(ms: number): void {
  if (!(ms > timerMsMax)) return
  const caller = new Error().stack
    ?.split('\n')
    .slice(3)
    .find((line) => !line.includes('node:internal'))
  if (caller && /\/test\/(?!setup\/)|\.test\.ts/.test(caller))
    throw new Error(
      `A test of the fast project never sleeps, got a timer of ${ms} ms. Pass a clock, or use eventually().`,
    )
}

afterEach(() => {
  const [first] = broken.splice(0)
  if (first) throw new Error(`A test of the fast project ${first}. Make it a test of system.`)
})
