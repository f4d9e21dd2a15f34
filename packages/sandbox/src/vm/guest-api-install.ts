import { InvariantError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import type { GuestApi } from '../guest-api.ts'
import { preludeName } from './guest-prelude.ts'
import type { PreludeFunctions } from './prelude-link.ts'

/**
 * Runs the globals and modules of a guest API in a fresh context, then takes the way to the host away from everyone
 * who comes later.
 * @returns the engine's module name by import specifier; frames with such a name are ours.
 * @throws InvariantError when one of the texts fails.
 */
export function installGuestApi(
  context: QuickJSContext,
  api: GuestApi,
  prelude: PreludeFunctions,
): ReadonlyMap<string, string> {
  const names = new Map(Object.keys(api.modules).map((specifier) => [specifier, preludeName + specifier]))
  const texts = new Map(Object.entries(api.modules).map(([specifier, text]) => [preludeName + specifier, text]))
  context.runtime.setModuleLoader(
    (name) => texts.get(name) ?? { error: new Error(`no module ${name}`) },
    (_, specifier) => names.get(specifier) ?? specifier,
  )
  evaluate(context, api.globals, `${preludeName}globals`, 'global')
  const imports = [...names.keys()].map((specifier) => `import ${JSON.stringify(specifier)}\n`)
  evaluate(context, imports.join(''), `${preludeName}modules`, 'module')
  done(context, context.callFunction(prelude.lock, context.undefined), 'lock').dispose()
  return names
}

function evaluate(context: QuickJSContext, text: string, name: string, type: 'global' | 'module'): void {
  const result = done(context, context.evalCode(text, name, { type }), name)
  while (context.runtime.hasPendingJob()) context.runtime.executePendingJobs().dispose()
  const state = context.getPromiseState(result)
  if (state.type === 'rejected') throw new InvariantError(`the guest API does not load: ${shown(context, state.error)}`)
  if (state.type === 'pending') throw new InvariantError(`the guest API does not load: ${name} awaits`)
  if (state.notAPromise !== true) state.value.dispose()
  result.dispose()
}

function done(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>, name: string): QuickJSHandle {
  if (!result.error) return result.value
  throw new InvariantError(`the guest API does not load: ${shown(context, result.error)} in ${name}`)
}

function shown(context: QuickJSContext, error: QuickJSHandle): string {
  const message = context.getProp(error, 'message').consume((handle) => context.getString(handle))
  return `${message} ${context.getProp(error, 'stack').consume((handle) => context.getString(handle))}`
}
