import type { StageError } from '@sluice/core'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { type LoadAdvice, noEntryPoint, unknownExport, unknownImport } from '../code/load-advice.ts'
import type { ModuleSet } from '../code/module-set.ts'
import type { Crossing } from '../crossing/crossing.ts'
import { readException, toLoadError } from '../errors/guest-exception.ts'
import type { Guest } from './guest/guest.ts'

export type EntryPoint = 'transformEvent' | 'transformBatch'

/** What loading the modules of a program has found. */
export interface LoadedModules {
  readonly entry: EntryPoint
  /** Whether the entry point can access its second argument. */
  readonly usesMetadata: boolean
  /** What the top level has logged, as the prelude encodes it. */
  readonly log: string
}

export const waitsForHost =
  'fetch and geolocation work within transformEvent and transformBatch, not while modules are loaded.'
const describedLimits = { depthMax: 2, valuesMax: 100, charsMax: 100_000 }

/** Evaluates the modules and passes the entry point to the prelude. Must be called inside `guest.contain`. */
export function loadModules(guest: Guest, modules: ModuleSet, crossing: Crossing): LoadedModules | StageError {
  const { context, prelude } = guest
  const evaluated = context.evalCode(modules.mainCode, modules.mainName, { type: 'module' })
  if (evaluated.error) return loadError(guest, evaluated.error, modules, crossing)
  let exported = evaluated.value
  guest.runJobs()
  const state = context.getPromiseState(exported)
  if (state.type === 'rejected') return loadError(guest, state.error, modules, crossing)
  if (state.type === 'pending') {
    const why = guest.calls.open > 0 ? waitsForHost : 'there is nothing left to run.'
    return loadFailure(`Error: a top-level await never resolves: ${why}`)
  }
  if (state.notAPromise !== true) exported = state.value

  const flag = modules.mentionsToJson ? context.true : context.false
  const found = context.callFunction(prelude.attach, context.undefined, exported, flag)
  if (found.error) return loadError(guest, found.error, modules, crossing)
  const names = context.getString(found.value)
  const entry = names.replace('+', '')
  if (entry !== 'transformEvent' && entry !== 'transformBatch') return wrongEntryPoint(names, modules)
  const log = takeLogText(guest)
  for (const handle of [evaluated.value, exported, found.value]) if (handle.alive) handle.dispose()
  if (guest.hasJobs) guest.runJobs()
  return { entry, usesMetadata: names.endsWith('+'), log }
}

/** Returns the error of code that has no entry point, or two. @param names those that were found, '' for none. */
export function wrongEntryPoint(names: string, modules: ModuleSet): StageError {
  const title = `Error: Expected one of transformEvent,transformBatch. Found ${names || 'none'}`
  return loadFailure(advised(title, names === '' ? noEntryPoint(modules) : { text: 'Export only one of them.' }))
}

export function loadFailure(message: string): StageError {
  return { code: 'transform.load', message }
}

function takeLogText({ context, prelude }: Guest): string {
  const index = context.newNumber(0)
  const taken = context.callFunction(prelude.takeLog, context.undefined, index)
  index.dispose()
  if (taken.error) return ''
  const text = context.getProp(taken.value, 1).consume((handle) => context.getString(handle))
  taken.value.dispose()
  return text
}

function loadError(guest: Guest, thrown: QuickJSHandle, modules: ModuleSet, crossing: Crossing): StageError {
  const unreadable = loadFailure('Error: the code cannot be loaded.')
  if (guest.interrupted) return unreadable
  const described = guest.context.callFunction(guest.prelude.describe, guest.context.undefined, thrown)
  if (described.error) return unreadable
  const bytes = guest.toBytes(described.value)
  const answer = bytes && crossing.createDecoder().decode(bytes, 0, bytes.length, describedLimits)
  const exception = answer?.ok && Array.isArray(answer.value) ? readException(answer.value, 3) : undefined
  if (exception === undefined) return unreadable
  const [, specifier] = /^import from (.{1,500}) failed\. Module not found\.$/s.exec(exception.message) ?? []
  if (specifier !== undefined && exception.name === 'Error')
    return loadFailure(advised(`Error: ${exception.message}`, unknownImport(specifier, modules, guest.apiModules)))
  const [, name, moduleName] =
    /^Could not find export '([^']{1,500})' in module '([^']{1,500})'$/.exec(exception.message) ?? []
  if (name !== undefined && moduleName !== undefined && exception.name === 'SyntaxError') {
    const title = `SyntaxError: The requested module '${modules.importNameOf(moduleName) ?? moduleName}' does not provide an export named '${name}'`
    return loadFailure(advised(title, unknownExport(name, moduleName, modules)))
  }
  return toLoadError(exception, modules)
}

/** Adds a place, in the form of a stack frame, and the advice to an error. */
export function advised(title: string, { place, text }: LoadAdvice): string {
  return [title, ...(place === undefined ? [] : [`    at ${place}`]), text].join('\n')
}
