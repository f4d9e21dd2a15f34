import type { CatalogueDetail } from '@sluice/http'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { JsonBlock } from '../../../parts/json-block.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { type PlannedEvent, type SourcePlan, usePlannedSource } from './planned-source.ts'

type Model = CatalogueDetail['model']

/** Marks what differs and lets the rest pass: a plan that begins like that loses nothing. */
const firstPlan: SourcePlan = { onViolation: 'mark', unplanned: 'pass', events: [] }

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
  const { source, canPut, put } = usePlannedSource(model.sourceId)
  const action = useAction()
  if (source === undefined) return null
  if (source.managedBy === 'file')
    return (
      <Notice kind="plain">
        The workspace file defines the source {source.name} and its plan: add this schema to its trackingPlan there.
      </Notice>
    )
  if (!canPut) return null
  const { trackingPlan = firstPlan } = source
  const isSame = ({ type, event = '' }: PlannedEvent): boolean => type === model.type && event === model.event
  const isPlanned = trackingPlan.events.some(isSame)
  const planned = { type: model.type, event: model.event === '' ? undefined : model.event, schema }
  const add = (): void =>
    void action.run(async () => {
      const events = [...trackingPlan.events.filter((each) => !isSame(each)), planned]
      await put({ ...trackingPlan, events })
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
