import { durationText } from '../../../parts/format/duration-text.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { ComparisonView } from '../../compare/comparison-view.tsx'
import type { TestResult } from '../trial/kept-tests.ts'
import type { WhatIf } from '../trial/what-if.ts'

interface WhatIfViewProps {
  readonly found: WhatIf
  readonly tests: readonly TestResult[]
  readonly tookMs: number
  /** Whether there is a live version to compare with. */
  readonly hasLive: boolean
}

/** What a version makes of recorded events against the live one, the time it takes, and its tests. */
export function WhatIfView({ found, tests, tookMs, hasLive }: WhatIfViewProps) {
  const passed = tests.filter(({ differences }) => differences.length === 0).length
  return (
    <ComparisonView
      found={found}
      note={`in this page, ${durationText(tookMs)}`}
      names={hasLive ? againstLive : againstNone}
    >
      <li class="ink">
        <Icon name="timer" />
        <span>
          {microsText(found.afterMs)} an event
          {hasLive ? `, the live version takes ${microsText(found.beforeMs)}` : ''}
        </span>
      </li>
      {tests.length === 0 ? null : (
        <li class={passed === tests.length ? 'good' : 'bad'}>
          <Icon name={passed === tests.length ? 'circle-check' : 'circle-x'} />
          <span>
            {passed} of {tests.length} tests pass
          </span>
        </li>
      )}
    </ComparisonView>
  )
}

const againstLive = {
  same: 'As the live version',
  differ: 'Differ',
  newlyFiltered: 'Newly filtered',
  failed: 'Throw',
}
const againstNone = { same: 'Unchanged', differ: 'Changed', newlyFiltered: 'Filtered', failed: 'Throw' }
const microsText = (ms: number): string => `${Math.round(ms * 1_000)} µs`
