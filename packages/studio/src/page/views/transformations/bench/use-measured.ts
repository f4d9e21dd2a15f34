import { useState } from 'preact/hooks'
import type { LineHeat } from '../../../editor/heat-gutter.ts'
import { measureInPage } from '../trial/try-in-page.ts'
import type { Ran } from './use-run.ts'

/** How the lines of the code were measured. */
export interface Measured {
  readonly code: string
  readonly lines: readonly (LineHeat & { readonly microsPerEvent: number; readonly source: string })[]
  readonly events: number
}

interface Measuring {
  /** The last measurement, of whatever code. */
  readonly measured: Measured | undefined
  /** Measures code by running events again and again for half a second. */
  measure(code: string, events: Ran['events']): Promise<void>
}

/** Measures in the page which lines of a transformation take time. */
export function useMeasured(name: string): Measuring {
  const [measured, setMeasured] = useState<Measured>()
  return {
    measured,
    measure: async (code, events) => {
      const { lines, events: count } = await measureInPage(name, code, events)
      const own = lines.filter(({ file }) => file === name)
      setMeasured({ code, events: count, lines: own.map(heatOf) })
    },
  }
}

function heatOf({
  line,
  share,
  msPerEvent,
  source,
  hints,
}: Awaited<ReturnType<typeof measureInPage>>['lines'][number]) {
  const text = `${Math.round(share * 100)} % of the time${hints.length === 0 ? '' : `, with ${hints.join(', ')}`}`
  return { line, share, text, source, microsPerEvent: msPerEvent * 1_000 }
}
