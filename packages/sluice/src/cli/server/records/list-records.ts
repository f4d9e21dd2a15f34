import type { JsonObject } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import type { RecordKind } from './record-kind.ts'

export type ListFlags = ServerFlags

interface Page {
  readonly paging: { readonly total: number; readonly next?: string }
}

/** Runs `sluice sources list` and the like. */
export async function listRecords(kind: RecordKind, flags: ListFlags): Promise<void> {
  const records = await recordsOf(flags, kind.plural)
  if (flags.json) return printLine(JSON.stringify(records, null, 2))
  const rows = records.map((record) => kind.columns.map((column) => printable(String(record[column] ?? ''))))
  if (rows.length > 0) printLine(table([kind.columns, ...rows], kind.columns.length))
  for (const { id, problems } of records)
    if (problems !== undefined)
      process.stderr.write(
        `${printable(String(id))} is not in use: sluice ${kind.plural} show ${printable(String(id))}\n`,
      )
  process.stderr.write(`${records.length} ${records.length === 1 ? kind.noun : kind.plural}\n`)
}

/** Runs `sluice sources show` and the like. */
export async function showRecord(kind: RecordKind, id: string, flags: ListFlags): Promise<void> {
  const record = await recordOf(flags, kind, id)
  printLine(JSON.stringify(record, null, 2))
}

/** Returns one record. Throws what `askServer` throws. */
export async function recordOf(flags: ServerFlags, { noun, plural }: RecordKind, id: string): Promise<JsonObject> {
  const path = `/v2/${plural}/${encodeURIComponent(id)}`
  const answer = await askServer<Readonly<Record<string, JsonObject>>>(flags, 'GET', path)
  return answer[noun] ?? {}
}

/** Returns all records of a list, page by page. */
export async function recordsOf(flags: ServerFlags, plural: RecordKind['plural']): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  let path: string | undefined = `/v2/${plural}`
  while (path !== undefined) {
    const page: Page & Readonly<Record<string, unknown>> = await askServer(flags, 'GET', path)
    records.push(...(page[plural] as readonly JsonObject[]))
    path = page.paging.next
  }
  return records
}
