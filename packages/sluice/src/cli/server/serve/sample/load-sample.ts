import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { NewRegulation } from '@sluice/regulation'
import { hasDuckDB } from '@sluice/warehouse'
import { type OpenedWorkspace, openText } from '../../../../workspace/text/open-workspace.ts'
import { packageFolder } from '../../../package-folder.ts'
import type { EventsFile } from '../feed-events.ts'
import type { SampleReceiver } from './sample-receiver.ts'

const folder = fileURLToPath(new URL('sample/', packageFolder))

/** The sample workspace with its events. */
export interface Sample {
  readonly file: OpenedWorkspace
  readonly events: readonly EventsFile[]
  readonly regulation: NewRegulation
  /** Access token of the sample workspace, created for this run. */
  readonly token: string
  /** The DuckDB file of its warehouse; undefined where DuckDB is not installed. */
  readonly warehouse: string | undefined
}

/** The lines of the sample workspace that name its warehouse. */
const warehouseLines = /^ {2}- id: warehouse\n(?: {4}.*\n)+|^ {2}- \{ source: \w+, destination: warehouse \}\n/gm

/**
 * Reads the sample, and points its webhooks at the local receiver and its warehouse at a file.
 * @param warehouse path of the DuckDB file, which is left out where DuckDB is not installed.
 */
export async function loadSample(receiver: SampleReceiver, warehouse: string): Promise<Sample> {
  const token = randomBytes(24).toString('base64url')
  const hasWarehouse = await hasDuckDB()
  const text = (await readFile(`${folder}workspace.yaml`, 'utf8'))
    .replaceAll('http://receiver.invalid', receiver.url)
    .replaceAll('sha256:SAMPLE', `sha256:${createHash('sha256').update(token).digest('hex')}`)
    .replaceAll(hasWarehouse ? 'sample.duckdb' : warehouseLines, hasWarehouse ? JSON.stringify(warehouse) : '')
  return {
    file: await openText(text, folder),
    events: ['web', 'mobile'].map((source) => ({ source, path: `${folder}${source}.ndjson` })),
    regulation: JSON.parse(await readFile(`${folder}regulation.json`, 'utf8')) as NewRegulation,
    token,
    warehouse: hasWarehouse ? warehouse : undefined,
  }
}
