import { type Clock, InvariantError, type Random } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { guestPrelude } from '../../guest-programs.ts'
import { metadataKeys } from '../../metadata-keys.ts'
import { answerDecodeLimits, type SandboxLimits } from '../../sandbox-limits.ts'
import { type PreludeSettings, preludeName } from './prelude.ts'

/** Functions and limits of the host that the prelude uses. */
interface PreludePorts {
  readonly limits: SandboxLimits
  readonly clock: Clock
  readonly random: Random
  readonly ports: GuestCallPorts<QuickJSHandle>
}

/**
 * Host functions behind `callHost` and `callHostLater`. They get the name and the list of arguments, and return `[0,
 * value]` or `[1, name, message]`. The value of an asynchronous call is its id. They return undefined when the
 * arguments must be converted to JSON text first.
 */
export interface GuestCallPorts<Handle> {
  call(name: Handle, args: Handle): Handle | undefined
  start(name: Handle, args: Handle): Handle | undefined
}

const names = [
  'next',
  'nextAlone',
  'gather',
  'runGathered',
  'take',
  'heldNow',
  'heldIndex',
  'normalisedAnswer',
  'giveUp',
  'takeLog',
  'describe',
  'attach',
  'here',
  'settleCall',
  'unlock',
  'lock',
] as const

/** Functions of the prelude (see guest/guest-prelude.js) that the host calls. */
export type PreludeFunctions = Readonly<Record<(typeof names)[number], QuickJSHandle>>

/** Random numbers that are passed to the guest per host call, because a call costs as much as creating many numbers. */
const numbersPerDraw = 32

/**
 * Evaluates the prelude in a new context and passes it the host functions. User code cannot reach those, because only
 * closures of the prelude reference them.
 * @throws InvariantError when the prelude does not load.
 */
export function linkPrelude(context: QuickJSContext, ports: PreludePorts): PreludeFunctions {
  const settings = preludeSettings(ports.limits)
  const script = successful(context, context.evalCode(guestPrelude, preludeName, { type: 'global' }))
  const text = context.newString(JSON.stringify(settings))
  // The handles of the host functions are never freed. If user code overwrote Math.random, the guest would free the
  // function, and restoring memory would not undo what the wrapper freed.
  const values = [...hostFunctions(context, ports), text]
  const functions = successful(context, context.callFunction(script, context.undefined, values))
  const linked = Object.fromEntries(names.map((name) => [name, context.getProp(functions, name)]))
  for (const handle of [script, text, functions]) handle.dispose()
  return linked as PreludeFunctions
}

/** Returns the settings of the prelude for these limits. */
export function preludeSettings(limits: SandboxLimits): PreludeSettings {
  return {
    metadataKeys,
    fanOutMax: limits.fanOutMax,
    numbersPerDraw,
    logBytesPerEvent: limits.logBytesPerEvent,
    logBytesPerBatch: limits.logBytesPerBatch,
    depthMax: answerDecodeLimits(limits).depthMax,
  }
}

/** Returns as many random numbers as the prelude draws at a time. */
export function drawnNumbers(random: Random): ArrayBuffer {
  const words = new DataView(random.fill(new Uint8Array(numbersPerDraw * 8)).buffer)
  return Float64Array.from(
    { length: numbersPerDraw },
    (_, i) => (words.getUint32(i * 8) * 2 ** 21 + (words.getUint32(i * 8 + 4) >>> 11)) / 2 ** 53,
  ).buffer
}

function hostFunctions(context: QuickJSContext, ports: PreludePorts): readonly QuickJSHandle[] {
  const { clock, random } = ports
  return [
    context.newFunction('now', () => context.newNumber(Math.floor(clock.now()))),
    context.newFunction('randoms', () => context.newArrayBuffer(drawnNumbers(random))),
    context.newFunction('call', (name, args) => name && args && ports.ports.call(name, args)),
    context.newFunction('startCall', (name, args) => name && args && ports.ports.start(name, args)),
  ]
}

function successful(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (!result.error) return result.value
  const message = context.getProp(result.error, 'message').consume((handle) => context.getString(handle))
  throw new InvariantError(`the prelude of the sandbox does not load: ${message}`)
}
