import type { StageError } from '@sluice/core'
import { type LoadAdvice, unknownExport, unknownImport } from '../code/load-advice.ts'
import type { ModuleSet } from '../code/module-set.ts'
import { readException, toLoadError } from '../errors/guest-exception.ts'
import { advised, loadFailure, waitsForHost } from '../vm/load-modules.ts'
import { familiarAnswer } from './familiar-answer.ts'
import { BadModule, LinkError, MissingExport, MissingModule } from './link-error.ts'
import type { ModuleSyntaxError } from './module/module-function.ts'
import type { Realm } from './realm.ts'

/** Returns why a program does not load. @param hasOpenCalls whether it has called the host and got no answer. */
export function loadFailureOf(thrown: unknown, realm: Realm, modules: ModuleSet, hasOpenCalls: boolean): StageError {
  if (thrown instanceof LinkError) return linkFailure(thrown, realm, modules, hasOpenCalls)
  // Errors of V8's parser are of the host's realm; all others are the program's.
  if (thrown instanceof SyntaxError) return loadFailure(`SyntaxError: ${thrown.message}${placeOf(thrown)}`)
  const exception = readException(familiarAnswer(realm.prelude.describe(thrown)), 3)
  return exception ? toLoadError(exception, modules) : loadFailure('Error: the code cannot be loaded.')
}

function linkFailure(error: LinkError, realm: Realm, modules: ModuleSet, hasOpenCalls: boolean): StageError {
  if (error instanceof MissingModule)
    return failure(`Error: ${error.message}`, unknownImport(error.specifier, modules, [...realm.api.keys()]))
  if (error instanceof MissingExport)
    return failure(`SyntaxError: ${error.message}`, unknownExport(error.missing, error.module, modules))
  if (error instanceof BadModule) return syntaxFailure(error.error, error.module, modules.source(error.module) ?? '')
  const why = hasOpenCalls ? waitsForHost : 'there is nothing left to run.'
  return loadFailure(`Error: a top-level await never resolves: ${why}`)
}

/** Returns the error of code that is no module. */
function syntaxFailure({ message, at }: ModuleSyntaxError, name: string, code: string): StageError {
  const before = at === undefined ? undefined : code.slice(0, at).split('\n')
  const place = before === undefined ? '' : ` [${name}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}]`
  return loadFailure(`SyntaxError: ${message}${place}`)
}

function failure(title: string, advice: LoadAdvice): StageError {
  return loadFailure(advised(title, advice))
}

/** Returns ` [module:line:column]` of the first lines of a stack: the place, the line of source, and a mark below it. */
function placeOf({ stack = '' }: Error): string {
  const [place = '', , mark = ''] = stack.split('\n')
  const column = mark.indexOf('^') + 1
  return /^.+:\d+$/.test(place) ? ` [${place}:${Math.max(1, column)}]` : ''
}
