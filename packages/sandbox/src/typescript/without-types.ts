import type { StageError } from '@sluice/core'
import { createModuleSet } from '../module-set.ts'
import type { ProgramSource } from '../program.ts'
import type { StripFailure, TypeStripper } from './type-stripper.ts'

/** A program of which the types were taken away. */
export interface TypelessSource {
  readonly source: ProgramSource
  /** False when no text had types. */
  readonly isChanged: boolean
  /** Why the text of a module stayed as it was, by the name that frames have. */
  readonly failures: ReadonlyMap<string, StripFailure>
}

/** Takes the types away, in every text that is TypeScript; others stay, so that one that is not imported does no harm. */
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

/** Characters of an error in which its place is looked for: code can raise a text of any length, and the search is quadratic. */
const titleMax = 1_000

/**
 * The error of code that neither loads nor loses its types: the engine stops at the first type, so the parser that knows
 * types is right where it gets further. Other errors stay.
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
