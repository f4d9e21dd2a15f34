import { createTypeStripper, type Probes } from '@sluice/sandbox'
import { instrumentTypeless, replaceCodes, type UncountedFile } from '../instrument/instrument-typeless.ts'
import type { Subject, SubjectFiles } from '../run/offline-run.ts'
import { type MarkedCode, markLines } from './mark-lines.ts'

export interface MarkedFile extends MarkedCode {
  readonly file: string
  readonly typeless: string
  /** The source with types; its lines match those of `typeless`. */
  readonly written: string
}

/** More lines than a transformation has with all its libraries. */
export const linesMax = 16_384

/** Returns the subject with marks in all of its code, and what each file became. */
export async function markSubject(subject: Subject, names: SubjectFiles, probes: Probes) {
  const stripper = createTypeStripper()
  const files: MarkedFile[] = []
  const unmarked: UncountedFile[] = []
  const nextProbe = (): number => {
    const probe = probes.take(1)
    if (probe === undefined) throw new RangeError(`the code has more than ${linesMax} lines`)
    return probe
  }
  try {
    const marked = await replaceCodes(subject, names, async (file, code) => {
      const one = await instrumentTypeless(code, stripper, (text) => markLines(text, nextProbe))
      if ('problem' in one) unmarked.push({ file, reason: one.problem })
      else files.push({ ...one, file, written: code })
      return 'problem' in one ? code : one.code
    })
    return { subject: marked, files, unmarked }
  } finally {
    await stripper.close()
  }
}
