import type { TrackingPlans } from '@sluice/http'
import { useState } from 'preact/hooks'
import { Segmented } from '../../../parts/fields/segmented.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { EditedSource } from './planned-source.ts'

type Plan = TrackingPlans['plans'][number]
type Deed = Plan['onViolation']

const options = [
  { value: 'mark', text: 'Mark' },
  { value: 'strip-unplanned', text: 'Strip unplanned' },
  { value: 'strip', text: 'Strip' },
  { value: 'drop', text: 'Drop' },
] as const satisfies readonly { readonly value: Deed; readonly text: string }[]

/** What a plan does with what does not fit. */
export const deeds: Readonly<Record<Deed, string>> = {
  mark: 'What does not fit is marked, and passes.',
  strip: 'Keys that do not fit are removed.',
  'strip-unplanned': 'Keys that are not planned are removed; other misfits are marked.',
  drop: 'Events that do not fit are dropped.',
}

interface PlanSwitchProps {
  readonly plan: Plan
  readonly edited: EditedSource
  readonly sourceName: string
}

/** Changes what the plan of a source does with misfits, after it has said which events that concerns. */
export function PlanSwitch({ plan, edited: { source, canPut, put }, sourceName }: PlanSwitchProps) {
  const [wanted, setWanted] = useState<Deed>()
  const action = useAction()
  const current = source?.trackingPlan
  if (source === undefined || current === undefined) return null
  if (!canPut)
    return source.planLink === undefined ? null : (
      <p class="help">The plan is linked: what it does is set where it is stored.</p>
    )
  const misfits = plan.events.reduce(
    (sum, { violations }) => sum + Object.values(violations).reduce((most, count) => Math.max(most, count), 0),
    0,
  )
  const change = (onViolation: Deed): void =>
    void action.run(async () => {
      await put({ ...current, onViolation })
      setWanted(undefined)
      return `From the next batch on: ${deeds[onViolation]}`
    })
  return (
    <>
      <Segmented
        label="What does not fit"
        options={options}
        value={options.find(({ value }) => value === current.onViolation)?.value ?? plan.onViolation}
        onChange={(value) => {
          if (value !== current.onViolation) setWanted(value)
        }}
      />
      {wanted === undefined ? (
        <Outcome action={action} />
      ) : (
        <Dialog
          title={`${options.find(({ value }) => value === wanted)?.text} what does not fit?`}
          note={deeds[wanted]}
          isOpen
          onClose={() => setWanted(undefined)}
          foot={
            <>
              <span class="left">For all {plan.events.length} planned events</span>
              <button type="button" onClick={() => setWanted(undefined)}>
                Cancel
              </button>
              <button
                type="button"
                class={wanted === 'drop' ? 'danger main' : 'main'}
                disabled={action.isBusy}
                onClick={() => change(wanted)}
              >
                Change the plan of {sourceName}
              </button>
            </>
          }
        >
          <p>
            {misfits === 0
              ? 'Since there is a plan, every planned event fitted.'
              : `Since there is a plan, at least ${countText(misfits)} events did not fit. Events like these are treated that way from the next batch on.`}
          </p>
          <Outcome action={action} />
        </Dialog>
      )}
    </>
  )
}
