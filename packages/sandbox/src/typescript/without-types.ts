import type { StageError } from '@sluice/core'
import { createModuleSet } from '../code/module-set.ts'
import type { ProgramSource } from '../program.ts'
import type { StripFailure, TypeStripper } from './type-stripper.ts'

/** A program whose types were removed. */
interface TypelessSource {
  readonly source: ProgramSource
  /** False when no module had types. */
  readonly isChanged: boolean
  /** Why a module stayed unchanged, by its name in stack frames. */
  readonly failures: ReadonlyMap<string, StripFailure>
}

/**
 * Removes the types from every TypeScript module. Modules with errors stay unchanged, so that they do no harm unless
 * imported.
 */
export async function withoutTypes(
  source: ProgramSource,
  stripper: TypeStripper,
  owner: string,
): Promise<TypelessSource> {
  const modules = createModuleSet(source)
  const failures = new Map<string, StripFailure>()
  let isChanged = false
  const typeless = async (code: string, moduleName: string): Promise<string> => {
    const stripped = await stripper.strip(code, owner)
    if (!stripped.ok) failures.set(moduleName, stripped)
    else if (stripped.code !== code) isChanged = true
    return stripped.ok ? stripped.code : code
  }
  const code = await typeless(source.code, modules.mainName)
  const libraries: ProgramSource['libraries'][number][] = []
  for (const library of source.libraries)
    libraries.push({ ...library, code: await typeless(library.code, modules.resolve(library.name) ?? '') })
  return { source: { ...source, code, libraries }, isChanged, failures }
}

/**
 * Characters of an error searched for its place, because code can throw a text of any length and the search is
 * quadratic.
 */
const titleMax = 1_000

/**
 * Returns the error of code that can neither be loaded nor stripped. The engine stops at the first type, so the type
 * parser's error is used if it got further. Other errors stay unchanged.
 */
export function withTypesInMind(error: StageError, failures: TypelessSource['failures']): StageError {
  const title = error.message.slice(0, titleMax)
  const [, moduleName = '', line, column] = /^SyntaxError: .* \[(.+):(\d+):(\d+)\]/s.exec(title) ?? []
  const failure = failures.get(moduleName)
  if (failure === undefined || failure.line === 0) return error
  const isFurther = failure.line > Number(line) || (failure.line === Number(line) && failure.column > Number(column))
  if (!isFurther && !failure.isUnsupported) return error
  return { ...error, message: `SyntaxError: ${failure.message} [${moduleName}:${failure.line}:${failure.column}]` }
}
