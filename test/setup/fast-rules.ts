import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { resolve } from 'node:path'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { afterEach } from 'vitest'

/**
 * Holds the rule of the `fast` project: a test starts no process, connects to no server of another one, and never sleeps.
 * A file that must do one of these belongs to the `system` project: see `test/projects.ts`.
 */

/** Longest real timer that a test may set, in milliseconds: enough to let a server's turn pass, too short to sleep. */
const timerMsMax = 50

const root = resolve(import.meta.dirname, '../..')
const broken: string[] = []
/** Ports at which this process listens or has listened. */
const ownPorts = new Set<number>()

/** Replaces a function of a built-in module or class. */
function replace<T extends object, K extends keyof T>(holder: T, name: K, by: (real: T[K]) => unknown): void {
  holder[name] = by(holder[name]) as T[K]
}

/** Marks what is replaced already: files share their modules, and this one runs before each of them. */
const marked = globalThis as { sluiceFastRules?: true }

if (!marked.sluiceFastRules) {
  marked.sluiceFastRules = true
  const refuseProcess = () => (): never => {
    throw new Error('A test of the fast project starts no process. Make it a test of system.')
  }
  // What all functions that do not wait for the process use in the end.
  replace(childProcess.ChildProcess.prototype as unknown as { spawn: unknown }, 'spawn', refuseProcess)
  for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) replace(childProcess, name, refuseProcess)

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
          const problem = `connected to a server of another process: ${remoteAddress}:${remotePort}`
          broken.push(problem)
          // With an error, or a client would wait for an answer.
          this.destroy(new Error(problem))
        })
        return Reflect.apply(real, this, args)
      },
  )

  for (const holder of [globalThis, timers] as { setTimeout: unknown; setInterval: unknown }[])
    for (const name of ['setTimeout', 'setInterval'] as const)
      replaceTimer(holder, name, (_run: unknown, ms: unknown) => ms)
  const first = (ms: unknown): unknown => ms
  replaceTimer(timersPromises, 'setTimeout', first)
  replaceTimer(timersPromises, 'setInterval', first)
  replaceTimer(timersPromises.scheduler, 'wait', first)
  replaceTimer(AbortSignal, 'timeout', first)
  replaceTimer(Atomics, 'wait', (_array: unknown, _index: unknown, _value: unknown, ms: unknown) => ms ?? Infinity)
  syncBuiltinESMExports()
}

/**
 * Replaces a function that waits.
 * @param timeOf returns the milliseconds from its arguments.
 */
function replaceTimer<T extends object, K extends keyof T>(
  holder: T,
  name: K,
  timeOf: (...args: readonly unknown[]) => unknown,
): void {
  replace(holder, name, (real) => {
    const checked = function (this: unknown, ...args: readonly unknown[]): unknown {
      refuseSleep(Number(timeOf(...args)))
      return Reflect.apply(real as never, this, args)
    }
    // With what `promisify` reads. A function of a class is called on it.
    return Object.defineProperties(checked, Object.getOwnPropertyDescriptors(real as object))
  })
}

/** @throws Error when code of a test sets a long timer. Time-outs that the product sets, and ends early, are its own. */
function refuseSleep(ms: number): void {
  if (!(ms > timerMsMax)) return
  const caller = new Error().stack
    ?.split('\n')
    .slice(3)
    .find((line) => !line.includes('node:'))
  if (caller && isOfTest(caller))
    throw new Error(
      `A test of the fast project never sleeps, got a timer of ${ms} ms. Pass a clock, or use eventually().`,
    )
}

/** The folder of the repository may itself lie below one that is called `test`. */
function isOfTest(line: string): boolean {
  const at = line.indexOf(root)
  return at >= 0 && /^\/test\/(?!setup\/)|\.test\.ts/.test(line.slice(at + root.length))
}

afterEach(() => {
  const [first] = broken.splice(0)
  if (first) throw new Error(`A test of the fast project ${first}. Make it a test of system.`)
})
