import { printable } from './printable.ts'
import { table } from './table.ts'

/** What a server tells of one regulation and its deletions. */
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
    readonly attempts: number
    readonly nextAt?: string
    readonly updatedAt: string
  }[]
  readonly isOver: boolean
}

/** What can be filed: when it was asked for, whom, and all that was told. */
export interface DeletionReport {
  readonly madeAt: string
  readonly server: string
  readonly regulations: readonly RegulationReport[]
  readonly isOver: boolean
}

/** The report for readers, complete: nothing is cut. */
export function deletionReportText({ madeAt, server, regulations, isOver }: DeletionReport): string {
  const parts = [
    `deletion report of ${madeAt}, by ${server}`,
    ...regulations.map(regulationText),
    isOver ? 'over: nothing more will be done' : 'not over yet',
  ]
  return parts.join('\n\n')
}

function regulationText({ regulation, data }: RegulationReport): string {
  const { id, regulationType, canceled, createdAt, attributes } = regulation
  const rows = data.map(({ destination, destinationId, status, attempts, updatedAt, nextAt, reason }) => [
    printable(destinationId && destinationId !== destination ? `${destination} (${destinationId})` : destination),
    status,
    String(attempts),
    updatedAt,
    printable([...(nextAt ? [`again at ${nextAt}`] : []), ...(reason ? [reason] : [])].join(': ')),
  ])
  return [
    `regulation ${id} of ${createdAt}: ${regulationType}${canceled ? ', cancelled' : ''}`,
    ...Object.entries(attributes).map(([name, value]) => printable(`${name} ${value}`)),
    rows.length === 0
      ? 'nothing is to be deleted: it only suppresses'
      : table([['destination', 'status', 'tries', 'since', 'reason'], ...rows], 5),
  ].join('\n')
}
