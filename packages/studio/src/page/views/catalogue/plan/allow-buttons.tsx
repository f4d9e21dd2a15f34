import type { TrackingPlans } from '@sluice/http'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { ShownKey } from '../keys/key-table.tsx'
import { withAllowedKey } from './allowed-key.ts'
import type { EditedSource } from './planned-source.ts'

interface AllowButtonsProps {
  readonly edited: EditedSource
  readonly planned: TrackingPlans['plans'][number]['events'][number]
  readonly keys: readonly ShownKey[]
}

/** Keys that are offered: more are changed as a whole, by the schema of the event. */
const offeredMax = 3

/** Offers to put keys that do not fit into the plan, one at a time. */
export function AllowButtons({ edited: { source, canPut, put }, planned, keys }: AllowButtonsProps) {
  const action = useAction()
  const current = source?.trackingPlan
  const isSame = ({ type, event = '' }: { readonly type: string; readonly event?: string }): boolean =>
    type === planned.type && event === planned.event
  const stored = current?.events.find(isSame)
  if (!canPut || current === undefined || stored === undefined) return null
  const offers = [...keys]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .flatMap(({ row: { path, type }, fit }) => {
      if (fit?.kind !== 'type' && fit?.kind !== 'unplanned') return []
      const found = fit.kind === 'type' ? fit.found : type
      const schema = withAllowedKey(stored.schema, path, found)
      const key = path.join('.')
      return schema ? [{ key, schema, text: fit.kind === 'type' ? `Accept ${found} for ${key}` : `Allow ${key}` }] : []
    })
    .slice(0, offeredMax)
  const allow = (schema: unknown): void =>
    void action.run(async () => {
      const events = current.events.map((each) => (isSame(each) ? { ...each, schema } : each))
      await put({ ...current, events })
      return 'In the plan, from the next batch on.'
    })
  return (
    <div class="row">
      {offers.map(({ key, schema, text }) => (
        <ConfirmButton
          key={key}
          text={text}
          question={`The plan then accepts it in every event ${planned.event || planned.type} of ${source?.name ?? 'the source'}.`}
          confirm={text}
          isDisabled={action.isBusy}
          onConfirm={() => allow(schema)}
        />
      ))}
      <Outcome action={action} />
    </div>
  )
}

/** What does not fit comes first, then what is not planned; of that, what senders write themselves. */
function rankOf({ fit, row: { path } }: ShownKey): number {
  if (fit?.kind === 'type') return 0
  return path[0] === 'properties' || path[0] === 'traits' ? 1 : 2
}
