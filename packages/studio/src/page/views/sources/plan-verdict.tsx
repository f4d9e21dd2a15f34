import type { TrackingPlans } from '@sluice/http'
import { countText } from '../../parts/format/count.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf } from '../../shell/router.ts'
import { misfitsOf } from './misfits.ts'

type Plan = TrackingPlans['plans'][number]

/** Whether the events of a source fit its tracking plan, as a link to the catalogue. */
export function PlanVerdict({ plan }: { readonly plan: Plan | undefined }) {
  if (plan === undefined) return <span class="soft">none</span>
  const misfits = misfitsOf(plan)
  return (
    <a class="bare" href={addressOf('/catalogue')}>
      {misfits === 0 ? (
        <Pill state="good" isBare icon="circle-check">
          all fit
        </Pill>
      ) : (
        <Pill state="wait" isBare>
          {countText(misfits)} did not fit
        </Pill>
      )}
    </a>
  )
}
