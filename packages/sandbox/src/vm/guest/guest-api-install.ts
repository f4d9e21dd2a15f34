import { InvariantError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { GuestApi } from '../../guest-api.ts'
import { preludeName } from './prelude.ts'
import type { PreludeFunctions } from './prelude-link.ts'

/** A guest API installed in a context. */
export interface InstalledApi {
  /** The engine's module name by import specifier. Stack frames with such a name belong to our code. */
  readonly moduleNames: ReadonlyMap<string, string>
  /** Names of the globals that the API defined. */
  readonly globalNames: readonly string[]
}

/**
 * Runs the globals and modules of a guest API in a context that has run no user code, then removes access to the host
 * functions.
 * @throws InvariantError when one of these scripts fails.
 */
export function installGuestApi(context: QuickJSContext, api: GuestApi, prelude: PreludeFunctions): InstalledApi {
  const before = new Set(globalNames(context))
  const names = new Map(Object.keys(api.modules).map((specifier) => [specifier, preludeName + specifier]))
  const texts = new Map(Object.entries(api.modules).map(([specifier, text]) => [preludeName + specifier, text]))
  context.runtime.setModuleLoader(
    (name) => texts.get(name) ?? { error: new Error(`no module ${name}`) },
    (_, specifier) => names.get(specifier) ?? specifier,
  )
  done(context, context.callFunction(prelude.unlock, context.undefined), 'unlock').dispose()
  evaluate(context, api.globals, `${preludeName}globals`, 'global')
  const imports = [...names.keys()].map((specifier) => `import ${JSON.stringify(specifier)}\n`)
  evaluate(context, imports.join(''), `${preludeName}modules`, 'module')
  done(context, context.callFunction(prelude.lock, context.undefined), 'lock').dispose()
  return { moduleNames: names, globalNames: globalNames(context).filter((name) => !before.has(name)) }
}

function globalNames(context: QuickJSContext): readonly string[] {
  const names = done(context, context.evalCode('Object.getOwnPropertyNames(globalThis).join()'), 'names')
  return names.consume((handle) => context.getString(handle)).split(',')
}

/** Words that give access to a global without its name. */
const indirectly = /\b(?:globalThis|global|eval|Function|constructor)\b|\bimport\s*\(|\\u/

/**
 * Returns whether a program may use the API: its code contains one of the API's names, or a word that allows access to
 * a global by a computed name.
 */
export function mayUseApi({ moduleNames, globalNames }: InstalledApi, texts: readonly string[]): boolean {
  const names = [...moduleNames.keys(), ...globalNames]
  return texts.some((text) => indirectly.test(text) || names.some((name) => text.includes(name)))
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
