import type { Event } from '@sluice/core'
import type { CodeTrust, SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-run.ts'
import type { BenchCell, EngineRates } from './bench-report.ts'
import { measureCell, warmUp } from './measure-cell.ts'
import { openCell } from './open-cell.ts'
import { quantile } from './spread.ts'

const turns = 3
const kinds = ['untrusted', 'trusted'] as const

/**
 * Measures one cell as untrusted and as trusted code, in turns, so that other load affects both equally.
 * @returns undefined in process, where no code is trusted.
 */
export async function measureEngines(
  subject: Subject,
  work: readonly Event[],
  cell: BenchCell,
  { timeMs, sandbox }: { readonly timeMs: number; readonly sandbox: SandboxOptions },
): Promise<EngineRates | undefined> {
  if (sandbox.mode === 'in-process') return undefined
  const rates: Record<CodeTrust, number[]> = { untrusted: [], trusted: [] }
  for (let turn = 0; turn < turns; turn += 1)
    for (const code of kinds) {
      const open = await openCell(subject, cell, { ...sandbox, code })
      try {
        await warmUp(open, work.slice(0, cell.batch), timeMs / turns)
        rates[code].push((await measureCell(open, work, cell, timeMs / turns)).eventsPerSecond)
      } finally {
        await open.close()
      }
    }
  const median = (code: CodeTrust): number =>
    quantile(
      [...rates[code]].sort((a, b) => a - b),
      0.5,
    )
  return { untrusted: median('untrusted'), trusted: median('trusted') }
}
