import { useState } from 'preact/hooks'
import { Meter } from '../../../parts/charts/meter.tsx'
import { DataTable } from '../../../parts/data-table.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { shareText } from '../../../parts/format/share-text.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Tag } from '../../../parts/signs/tag.tsx'
import type { KeyRow } from './key-rows.ts'
import type { PlanFit } from './plan-fit.ts'

export interface ShownKey {
  readonly row: KeyRow
  /** Undefined without a plan of this event. */
  readonly fit: PlanFit | undefined
  /** Kind of personal data, by which samples are masked. */
  readonly personal: string | undefined
  readonly isNew: boolean
  readonly values: readonly { readonly value: string; readonly share: number }[]
  /** A column of warehouses whose name differs, because another key has it. */
  readonly column: string | undefined
}

interface KeyTableProps {
  readonly name: string
  readonly keys: readonly ShownKey[]
  readonly total: number
}

/** Keys that are shown at first: an event with thousands makes the page no slower. */
const shownMax = 100
const valuesMax = 3
const indents = ['', 'd1', 'd2', 'd3', 'd4']

/** The keys of an event as an indented table. */
export function KeyTable({ name, keys, total }: KeyTableProps) {
  const [max, setMax] = useState(shownMax)
  return (
    <>
      <DataTable
        caption={`Keys of ${name}`}
        rows={keys.slice(0, max)}
        keyOf={({ row }) => row.path.join('.')}
        empty="It has no keys."
        columns={[
          { title: 'Key', cell: (key) => <KeyName shown={key} /> },
          { title: 'Type', cell: ({ row }) => <Types row={row} total={total} /> },
          { title: 'In', cell: ({ row }) => <Presence count={row.count} total={total} /> },
          { title: 'Frequent values', cell: (key) => <Values shown={key} /> },
          { title: 'Plan', cell: ({ fit }) => <Fit fit={fit} /> },
        ]}
      />
      {keys.length > max ? (
        <p class="panel-foot">
          <button type="button" class="small" onClick={() => setMax(max + 10 * shownMax)}>
            Show {countText(Math.min(10 * shownMax, keys.length - max))} more keys
          </button>
        </p>
      ) : null}
    </>
  )
}

function KeyName({ shown: { row, personal, isNew, column } }: { readonly shown: ShownKey }) {
  const depth = Math.min(row.path.length, indents.length) - 1
  return (
    <span class={`key ${indents[depth]}`}>
      <code title={row.path.join('.')}>
        <span class="unseen">{row.path.slice(0, -1).map((part) => `${part}.`)}</span>
        {row.path.at(-1)}
      </code>
      {personal === undefined ? null : (
        <Tag state="guard">
          <Icon name="fingerprint-pattern" />
          {personal}
        </Tag>
      )}
      {isNew ? <Tag state="note">new</Tag> : null}
      {column === undefined ? null : <small>in warehouses also {column}</small>}
    </span>
  )
}

function Types({ row: { type, otherTypes }, total }: { readonly row: KeyRow; readonly total: number }) {
  return (
    <span class="types">
      <Tag isMono>{type}</Tag>
      {otherTypes.map((other) => (
        <Tag key={other.type} state="wait" isMono>
          {other.type} {shareText(other.count, total)}
        </Tag>
      ))}
    </span>
  )
}

/** Shares from here on, which are not all, are probably meant to be all. */
const almostAll = 0.9

function Presence({ count, total }: { readonly count: number; readonly total: number }) {
  const share = total === 0 ? 0 : count / total
  return (
    <span class="presence">
      <Meter share={share} state={share < 1 && share >= almostAll ? 'wait' : 'ink'} />
      <span>{shareText(count, total)}</span>
    </span>
  )
}

function Values({ shown: { values, personal } }: { readonly shown: ShownKey }) {
  if (personal !== undefined && values.length === 0) return <span class="values">never kept</span>
  return (
    <span class="values">
      {values.slice(0, valuesMax).map(({ value, share }) => (
        <span key={value} class="value">
          <b>{value === '' ? 'empty' : value}</b> {Math.round(share * 100)} %
        </span>
      ))}
    </span>
  )
}

function Fit({ fit }: { readonly fit: PlanFit | undefined }) {
  if (fit === undefined) return <span class="values">no plan</span>
  if (fit.kind === 'unplanned') return <span class="values">not planned</span>
  if (fit.kind === 'fits')
    return (
      <span class="in good fits">
        <Icon name="check" />
        <span class="unseen">fits</span>
      </span>
    )
  return (
    <span class="in bad">
      {fit.kind === 'missing'
        ? `missing in ${countText(fit.count)} events`
        : `${fit.found} in ${countText(fit.count)} events`}
    </span>
  )
}
