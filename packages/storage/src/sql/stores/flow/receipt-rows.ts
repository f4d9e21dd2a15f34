/// <reference lib="es2024.string" />
import type { ErrorCode } from '@sluice/core'
import type { EventReceipt } from '@sluice/pipeline'
import type { Mentions } from '@sluice/schema'

/**
 * Receipts of one workspace as they are stored: many in a row, because each row of its own would cost as much as the event
 * it is about. All of them are in the order in which they were written.
 */
export interface ReceiptRow {
  readonly workspace_id: string
  /** How many there are. */
  readonly receipts: number
  /** A hash of each message id, by which rows are found: 8 hexadecimal digits each. */
  readonly fingerprints: string
  /** A list. */
  readonly receipts_json: string
}

type Packed = readonly [
  messageId: string,
  destinationId: string,
  sourceId: string,
  outcome: EventReceipt['outcome'],
  stage: string,
  outputs: number,
  at: number,
  receivedAt: number | null,
  versionId: string | null,
  reason: string | null,
  code: ErrorCode | null,
  ...tries: NonNullable<EventReceipt['tries']>[],
]

/** Packs receipts into one row per workspace. */
export function receiptRows(receipts: readonly EventReceipt[]): readonly ReceiptRow[] {
  const byWorkspace = new Map<string, EventReceipt[]>()
  for (const receipt of receipts) {
    const known = byWorkspace.get(receipt.workspaceId)
    if (known) known.push(receipt)
    else byWorkspace.set(receipt.workspaceId, [receipt])
  }
  return [...byWorkspace].map(([workspace_id, each]) => ({
    workspace_id,
    receipts: each.length,
    fingerprints: each.map(({ messageId }) => fingerprintOf(messageId)).join(''),
    receipts_json: JSON.stringify(each.map(packed)),
  }))
}

/** Returns the receipts of one message in a row, in order. */
export function receiptsIn(row: ReceiptRow, messageId: string): readonly EventReceipt[] {
  return allIn(row)
    .filter(([id]) => id === messageId)
    .map((each) => unpacked(row.workspace_id, each))
}

/** Returns a row without its oldest receipts. */
export function withoutOldest(row: ReceiptRow, count: number): ReceiptRow {
  return {
    ...row,
    receipts: row.receipts - count,
    fingerprints: row.fingerprints.slice(count * fingerprintLength),
    receipts_json: JSON.stringify(allIn(row).slice(count)),
  }
}

/** Returns a row without the receipts that mention users: the same row when there are none. */
export function withoutMentions<Row extends ReceiptRow>(row: Row, { isIn }: Mentions): Row {
  const all = allIn(row)
  const left = all.filter(([messageId, , , , , , , , , reason]) => !isIn(messageId) && !isIn(reason ?? ''))
  if (left.length === all.length) return row
  return {
    ...row,
    receipts: left.length,
    fingerprints: left.map(([messageId]) => fingerprintOf(messageId)).join(''),
    receipts_json: JSON.stringify(left),
  }
}

const fingerprintLength = 8

/** FNV-1a of the UTF-16 code units in 32 bits. Two messages may share one, so what is found is compared. */
export function fingerprintOf(messageId: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < messageId.length; i += 1) hash = Math.imul(hash ^ messageId.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(fingerprintLength, '0')
}

function allIn({ receipts_json }: ReceiptRow): readonly Packed[] {
  return JSON.parse(receipts_json)
}

function packed(receipt: EventReceipt): Packed {
  const { messageId, destinationId, sourceId, outcome, stage, outputs, at, receivedAt, versionId, reason, code } =
    receipt
  const { tries } = receipt
  // A reason may quote user code, which can contain lone surrogates.
  const why = reason?.toWellFormed() ?? null
  return [
    messageId,
    destinationId,
    sourceId,
    outcome,
    stage,
    outputs,
    at,
    receivedAt ?? null,
    versionId ?? null,
    why,
    code ?? null,
    // Most have none, and rows of earlier releases have no place for them.
    ...(tries === undefined ? [] : [tries]),
  ]
}

function unpacked(workspaceId: string, each: Packed): EventReceipt {
  const [messageId, destinationId, sourceId, outcome, stage, outputs, at, receivedAt, versionId, reason, code, tries] =
    each
  return {
    workspaceId,
    messageId,
    sourceId,
    destinationId,
    outcome,
    stage,
    reason: reason ?? undefined,
    code: code ?? undefined,
    outputs,
    versionId: versionId ?? undefined,
    at,
    receivedAt: receivedAt ?? undefined,
    ...(tries === undefined ? {} : { tries }),
  }
}
