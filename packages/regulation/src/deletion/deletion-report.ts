import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'

/** One regulation and its deletions, as `GET /v2/regulations/{id}/deletions` answers. */
export interface RegulationReport {
  readonly regulation: {
    readonly id: string
    readonly regulationType: string
    readonly canceled: boolean
    readonly createdAt: string
    readonly attributes: Readonly<Record<string, string>>
  }
  readonly data: readonly {
    readonly destinationId?: string
    readonly destination: string
    readonly status: string
    readonly reason?: string
    /** A person has done it. */
    readonly byHand?: true
    readonly attempts: number
    readonly nextAt?: string
    readonly updatedAt: string
  }[]
  readonly isOver: boolean
}

/** Record for filing: time, server, and its complete answers. */
export interface DeletionReport {
  readonly madeAt: string
  readonly server: string
  readonly regulations: readonly RegulationReport[]
  readonly isOver: boolean
}

/** Formats a report as text, completely, without a line end after the last line. The command and the API file the same. */
export function deletionReportText({ madeAt, server, regulations, isOver }: DeletionReport): string {
  const parts = [
    `deletion report of ${madeAt}, by ${server}`,
    ...regulations.map(regulationText),
    deletionReportEnd({ regulations, isOver }),
  ]
  return parts.join('\n\n')
}

/** Returns the last line of a report: whether more will be done, and how much could not be. */
export function deletionReportEnd({ regulations, isOver }: Pick<DeletionReport, 'regulations' | 'isOver'>): string {
  if (!isOver) return 'not complete yet'
  const all = regulations.flatMap(({ data }) => data)
  const aborted = all.filter(({ status }) => status === 'aborted').length
  if (aborted === 0) return 'complete: nothing more will be done'
  return `over: nothing more will be done, and ${aborted} of ${all.length} deletions were aborted`
}

function regulationText({ regulation, data }: RegulationReport): string {
  const { id, regulationType, canceled, createdAt, attributes } = regulation
  const rows = data.map(({ destination, destinationId, status, attempts, updatedAt, nextAt, reason }) => [
    printable(destinationId && destinationId !== destination ? `${destination} (${destinationId})` : destination),
    status,
    String(attempts),
    updatedAt,
    printable([...(nextAt ? [`next attempt at ${nextAt}`] : []), ...(reason ? [reason] : [])].join(': ')),
  ])
  return [
    `regulation ${id} of ${createdAt}: ${regulationType}${canceled ? ', cancelled' : ''}`,
    ...Object.entries(attributes).map(([name, value]) => printable(`${name} ${value}`)),
    rows.length === 0
      ? 'no deletions: this regulation only suppresses'
      : table([['destination', 'status', 'attempts', 'since', 'reason'], ...rows], 5),
  ].join('\n')
}
