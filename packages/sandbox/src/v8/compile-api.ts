import { Script } from 'node:vm'
import type { GuestApi } from '../guest-api.ts'
import { preludeName } from '../vm/guest/prelude.ts'
import { compiledModule } from './module/compiled-module.ts'
import { type ModuleFunction, moduleFunction } from './module/module-function.ts'

/** The guest API, compiled once for all realms of a machine. */
export interface CompiledApi {
  readonly globals: Script
  readonly modules: ReadonlyMap<string, { readonly script: Script; readonly module: ModuleFunction }>
}

export function compileApi(api: GuestApi): CompiledApi {
  const modules = Object.entries(api.modules).map(([specifier, text]) => {
    const module = moduleFunction(text, [])
    return [specifier, { script: compiledModule(module, preludeName + specifier), module }] as const
  })
  return { globals: new Script(api.globals, { filename: `${preludeName}globals` }), modules: new Map(modules) }
}
