import type { TypeStripper } from '@sluice/sandbox'
import type { Subject, SubjectFiles } from '../run/offline-run.ts'

/** Code that could not be instrumented: it runs unchanged and is in no report. */
export interface UncountedFile {
  readonly file: string
  readonly reason: string
}

/** Instrumented code, and the source its lines refer to, without types. */
export type Instrumented<T> = (T & { readonly typeless: string }) | { readonly problem: string }

/** Instruments code. Removes types first if it does not parse otherwise. */
export async function instrumentTypeless<T extends { readonly code: string }>(
  code: string,
  stripper: TypeStripper,
  instrument: (code: string) => T | { readonly problem: string },
): Promise<Instrumented<T>> {
  const asItIs = instrument(code)
  if (!('problem' in asItIs)) return { ...asItIs, typeless: code }
  const stripped = await stripper.strip(code)
  // For code with types, the message of the type parser is the right one.
  if (!stripped.ok) return { problem: stripped.message }
  const typeless = stripped.code
  const second = typeless === code ? asItIs : instrument(typeless)
  return 'problem' in second ? second : { ...second, typeless }
}

/** Returns the subject with each source replaced by the result of `replace` for it and its file, one after another. */
export async function replaceCodes(
  subject: Subject,
  { main = subject.name, libraries: named = {} }: SubjectFiles,
  replace: (file: string, code: string) => Promise<string>,
): Promise<Subject> {
  const code = await replace(main, subject.code)
  const libraries: NonNullable<Subject['libraries']>[number][] = []
  for (const library of subject.libraries ?? []) {
    const file = Object.hasOwn(named, library.name) ? named[library.name] : undefined
    libraries.push({ ...library, code: await replace(file ?? `library ${library.name}`, library.code) })
  }
  return { ...subject, code, libraries }
}
