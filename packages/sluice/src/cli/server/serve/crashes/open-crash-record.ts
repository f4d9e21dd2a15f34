import { join } from 'node:path'
import { pauseDestinations } from '@sluice/configuration'
import { systemClock } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import type { Logger } from 'pino'
import type { ServeFlags } from '../serve-flags.ts'
import { CrashRecord } from './crash-record.ts'
import { recordExceptions } from './record-exceptions.ts'

/**
 * Opens the record of crashes beside the store, and pauses destinations that were under way at too many. Nodes that share
 * a database have none: what ends one of them is taken over by another, whose record would not know.
 */
export async function openCrashRecord(
  flags: Pick<ServeFlags, 'data' | 'store' | 'sample'>,
  store: Store,
  log: Logger,
  onClose: (close: () => Promise<void>) => void,
): Promise<CrashRecord | undefined> {
  if (flags.store !== undefined || flags.sample) return undefined
  const record = new CrashRecord(join(flags.data, 'crashes.json'), systemClock.now())
  const stopRecording = recordExceptions(record)
  onClose(async () => {
    stopRecording()
    record.stopped()
  })
  await pauseDestinations(store.configuration, record.suspects, systemClock)
  for (const { workspaceId: workspace, destinationId: destination, reason } of record.suspects)
    log.error({ workspace, destination, reason }, 'the destination is paused: resume it when the reason is mended')
  return record
}
