import type { TypeStripper } from '@sluice/sandbox'
import type { Subject, SubjectFiles } from '../run/offline-runner.ts'

/** Code that nothing could be put into: it runs as it is and is in no report. */
export interface UncountedFile {
  readonly file: string
  readonly reason: string
}

/** Code with something put into it, and the text that its lines are of: without types, if it had any. */
export type Instrumented<T> = (T & { readonly typeless: string }) | { readonly problem: string }

/** Puts something into code, whose types are taken away where it does not parse otherwise. */
export async function instrumentTypeless<T extends { readonly code: string }>(
  code: string,
  stripper: TypeStripper,
  instrument: (code: string) => T | { readonly problem: string },
): Promise<Instrumented<T>> {
  const asItIs = instrument(code)
  if (!('problem' in asItIs)) return { ...asItIs, typeless: code }
  const stripped = await stripper.strip(code)
  // The parser that knows types tells what is wrong of code that has some.
  if (!stripped.ok) return { problem: stripped.message }
  const typeless = stripped.code
  const second = typeless === code ? asItIs : instrument(typeless)
  return 'problem' in second ? second : { ...second, typeless }
}

/** The subject with each of its texts replaced by what `replace` gives for it and its file, one after the other. */
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
