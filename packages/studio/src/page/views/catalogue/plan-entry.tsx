import type { CatalogueDetail } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

type Model = CatalogueDetail['model']

interface PlannedEvent {
  readonly type: string
  readonly event?: string
  readonly schema: unknown
}

/** A source with its tracking plan, as `GET /v2/sources/{id}` shows it. */
interface PlannedSource {
  readonly id: string
  readonly name: string
  readonly managedBy: 'file' | 'api'
  readonly revision?: number
  readonly trackingPlan?: {
    readonly events: readonly PlannedEvent[]
    readonly onViolation: string
    readonly unplanned: string
  }
}

/** Marks what differs and lets the rest pass: a plan that begins like that loses nothing. */
const firstPlan = { onViolation: 'mark', unplanned: 'pass', events: [] }

/** The schema of this event for a tracking plan, and the button that puts it into the plan of its source. */
export function PlanEntry({ base, model }: { readonly base: string; readonly model: Model }) {
  const { value, error } = usePolled(
    `${base}/json-schema`,
    (signal) => request<unknown>(`${base}/json-schema`, { signal }),
    0,
  ).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return null
  return (
    <>
      {model.sourceId === '' ? null : <AddToPlan model={model} schema={value} />}
      <JsonBlock label="JSON Schema" value={value} />
    </>
  )
}

function AddToPlan({ model, schema }: { readonly model: Model; readonly schema: unknown }) {
  const path = `/v2/sources/${encodeURIComponent(model.sourceId)}`
  const { state, refresh } = usePolled(
    path,
    async (signal) => (await request<{ readonly source: PlannedSource }>(path, { signal })).source,
    0,
  )
  const action = useAction()
  const source = state.value.value
  if (source === undefined) return null
  if (source.managedBy === 'file')
    return (
      <Notice kind="plain">
        The workspace file defines the source {source.name} and its plan: add this schema to its trackingPlan there.
      </Notice>
    )
  if (!allows('write') || !allows('operate')) return null
  const { trackingPlan = firstPlan, revision } = source
  const isSame = ({ type, event = '' }: PlannedEvent): boolean => type === model.type && event === model.event
  const isPlanned = trackingPlan.events.some(isSame)
  const planned = { type: model.type, event: model.event === '' ? undefined : model.event, schema }
  const add = (): void =>
    void action.run(async () => {
      const events = [...trackingPlan.events.filter((each) => !isSame(each)), planned]
      await request(path, {
        method: 'PUT',
        body: { trackingPlan: { ...trackingPlan, events } },
        headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
      })
      await refresh()
      return 'In the plan, from the next batch on.'
    })
  const name = `${model.type} ${model.event}`.trim()
  return (
    <>
      <ConfirmButton
        text={isPlanned ? 'Replace it in the plan' : 'Add this to the plan'}
        question={`Events ${name} of ${source.name} that do not fit this schema will be treated as the plan says: ${trackingPlan.onViolation}. The schema accepts all that were seen so far.`}
        confirm={isPlanned ? `Replace ${name}` : `Add ${name}`}
        isDisabled={action.isBusy}
        onConfirm={add}
      />
      <Outcome action={action} />
    </>
  )
}
