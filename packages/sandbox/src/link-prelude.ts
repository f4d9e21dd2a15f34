import { type Clock, InvariantError, type Random } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import type { Engine } from './engine.ts'
import { guestPrelude, type PreludeSettings, preludeName } from './guest-prelude.ts'
import { metadataKeys } from './metadata-keys.ts'
import type { SandboxLimits } from './sandbox-limits.ts'

/** What the prelude asks the host for. */
export interface HostPorts {
  readonly engine: Engine
  readonly limits: SandboxLimits
  readonly clock: Clock
  readonly random: Random
  /** JSON text of the metadata of the n-th input of the batch. */
  metadataText(index: number): string
}

/** Functions of the prelude (see guest-prelude.ts) that the host calls. */
export interface PreludeFunctions {
  readonly runEvent: QuickJSHandle
  readonly runBatch: QuickJSHandle
  readonly takeAnswer: QuickJSHandle
  readonly takeLog: QuickJSHandle
  readonly describe: QuickJSHandle
  readonly attach: QuickJSHandle
}

/**
 * Evaluates the prelude in a fresh context and gives it the functions of the host. User code cannot reach those: only
 * closures of the prelude hold them.
 * @param keep owns the handles; called for each.
 * @throws InvariantError when the prelude does not load.
 */
export function linkPrelude(
  context: QuickJSContext,
  ports: HostPorts,
  keep: (handle: QuickJSHandle) => QuickJSHandle,
): PreludeFunctions {
  const { limits } = ports
  const settings: PreludeSettings = {
    metadataKeys,
    fanOutMax: limits.fanOutMax,
    outputCharsPerEvent: limits.outputBytesPerEvent,
    logCharsPerEvent: limits.logBytesPerEvent,
  }
  const script = successful(context.evalCode(guestPrelude, preludeName, { type: 'global' }))
  const values = [...hostFunctions(context, ports), context.newString(JSON.stringify(settings))]
  const functions = successful(context.callFunction(script, context.undefined, values))
  const get = (name: keyof PreludeFunctions): QuickJSHandle => keep(context.getProp(functions, name))
  const linked: PreludeFunctions = {
    runEvent: get('runEvent'),
    runBatch: get('runBatch'),
    takeAnswer: get('takeAnswer'),
    takeLog: get('takeLog'),
    describe: get('describe'),
    attach: get('attach'),
  }
  for (const handle of [script, ...values, functions]) handle.dispose()
  return linked
}

function hostFunctions(context: QuickJSContext, ports: HostPorts): readonly QuickJSHandle[] {
  const { engine, clock, random } = ports
  const bytes = new Uint8Array(8)
  const words = new DataView(bytes.buffer)
  return [
    context.newFunction('now', () => context.newNumber(Math.floor(clock.now()))),
    context.newFunction('random', () => {
      random.fill(bytes)
      return context.newNumber((words.getUint32(0) * 2 ** 21 + (words.getUint32(4) >>> 11)) / 2 ** 53)
    }),
    context.newFunction('metadataText', (index) => {
      const text = index === undefined ? '{}' : ports.metadataText(context.getNumber(index))
      // The glue of the engine does not notice when there is no room for a string it is given.
      if (engine.roomBytes() < text.length * 3) throw new Error('out of memory')
      return context.newString(text)
    }),
  ]
}

function successful(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (!result.error) return result.value
  result.error.dispose()
  throw new InvariantError('the prelude of the sandbox does not load')
}
