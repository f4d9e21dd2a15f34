import type { Clock } from '@sluice/core'
import type { Ledger } from '@sluice/regulation'

const hourMs = 3_600_000
/** Longer than most keep backups. */
const defaultDays = 90

/** Creates what tends to the ledger once an hour: it removes the encrypted ids of users that are not needed any more, and checks what was added. */
export function createShredding({
  ledger,
  days = defaultDays,
  isActive,
  clock,
  onError,
}: {
  readonly ledger: Pick<Ledger, 'shred' | 'checkParts'>
  readonly days: number | undefined
  /** Whether this process does that, of several. */
  isActive(): boolean
  readonly clock: Clock
  onError(error: unknown): void
}): { start(): void; stop(): Promise<void> } {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (isActive()) {
        await ledger.shred(days).catch(onError)
        await ledger.checkParts().catch(onError)
      }
      await clock.sleep(hourMs, stopping.signal)
    }
  }
  let running: Promise<void> | undefined
  return {
    start() {
      running = run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
