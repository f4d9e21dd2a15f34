import type { CatalogueDetail } from '@sluice/http'
import { useState } from 'preact/hooks'
import { Spark } from '../../parts/charts/spark.tsx'
import { Count, countText } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
import { addressOf } from '../../shell/router.ts'
import type { ShownKey } from './keys/key-table.tsx'
import { PlanEntry } from './plan/plan-entry.tsx'

interface ModelHeadProps {
  readonly base: string
  readonly model: CatalogueDetail['model']
  readonly keys: readonly ShownKey[]
  readonly sourceName: string
  /** Events of each day, the last one being today. */
  readonly dayCounts: readonly number[]
  readonly isPlanned: boolean
  /** Keys that do not fit the plan. */
  readonly misfits: number
}

/** What the event is called, whether it fits its plan, and four numbers about it. */
export function ModelHead({ base, model, keys, sourceName, dayCounts, isPlanned, misfits }: ModelHeadProps) {
  const [isOpen, setOpen] = useState(false)
  const fresh = keys.filter(({ isNew }) => isNew).length
  const mixed = keys.filter(({ row }) => row.otherTypes.length > 0).length
  const personal = keys.filter((key) => key.personal !== undefined).length
  return (
    <>
      <header class="panel-head">
        <div class="model-title">
          <h2 class="model-name">{model.event || model.type}</h2>
          {model.event === '' ? null : <Tag>{model.type}</Tag>}
          <Tag>{sourceName || 'a source that is gone'}</Tag>
          {isPlanned ? <PlanState misfits={misfits} /> : null}
        </div>
        <div class="row">
          <a class="btn" href={addressOf('/live', { event: model.event, type: model.type })}>
            <Icon name="radio" />
            Watch
          </a>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="code-xml" />
            JSON Schema for a tracking plan
          </button>
        </div>
      </header>
      {isOpen ? (
        <div class="panel-body stack">
          <PlanEntry base={base} model={model} />
        </div>
      ) : null}
      <div class="model-facts">
        <div>
          <small>Events</small>
          <b>
            <Count value={model.totalCount} />
          </b>
          <small>since it was first seen, {countText(dayCounts.at(-1) ?? 0)} today</small>
          <Spark values={dayCounts} label={`Events a day, over ${dayCounts.length} days`} />
        </div>
        <div>
          <small>Keys</small>
          <b>{keys.length}</b>
          <small>
            {fresh} new, {mixed} of several types
          </small>
        </div>
        <div>
          <small>Personal data</small>
          <b>{personal === 1 ? '1 key' : `${personal} keys`}</b>
          <small>masked in samples</small>
        </div>
        <div>
          <small>Last seen</small>
          <b>
            <Time at={model.lastSeen} />
          </b>
          <small>
            first <Time at={model.createdAt} />
          </small>
        </div>
      </div>
    </>
  )
}

function PlanState({ misfits }: { readonly misfits: number }) {
  if (misfits === 0) return <Pill state="good">Fits the plan</Pill>
  return <Pill state="wait">{misfits === 1 ? '1 key does' : `${misfits} keys do`} not fit the plan</Pill>
}
