import { Meter } from '../../parts/charts/meter.tsx'
import { bytesText } from '../../parts/format/bytes-text.ts'
import { countText } from '../../parts/format/count.tsx'
import { shareText } from '../../parts/format/share-text.ts'
import { Panel } from '../../parts/page/panel.tsx'
import type { Budget, Server } from './server.ts'

interface BudgetsProps {
  readonly budgets: readonly Budget[]
  readonly server: Server
}

interface Name {
  readonly name: string
  readonly note: string
  /** Full is how it is meant to be: the oldest make room. */
  readonly isRing?: boolean
}

const names: Readonly<Record<string, Name>> = {
  bodies: { name: 'Requests under way', note: 'bodies in memory' },
  log: { name: 'Event log', note: 'events until they are old, or all have them' },
  deadLetters: { name: 'Failed events', note: 'kept to be sent again' },
  deadLetterBytes: { name: 'Failed events, in bytes', note: 'event, request and reply' },
  receipts: { name: 'Receipts', note: 'the newest are kept', isRing: true },
  taps: { name: 'Watchers', note: 'pages and programs that watch live' },
  schemaValues: { name: 'Values of the catalogue', note: 'frequent values and samples' },
}

/** From this share on, a budget that refuses when it is full needs a look. */
const nearlyFull = 0.8

/** What is used of each budget, as bars. */
export function Budgets({ budgets, server: { store } }: BudgetsProps) {
  return (
    <Panel title="Budgets" note="What this workspace uses of limits that all workspaces share">
      <ul class="bars-list budgets">
        {budgets.map((budget) => (
          <Bar key={budget.budget} budget={withLimit(budget, store)} />
        ))}
      </ul>
    </Panel>
  )
}

function Bar({ budget: { budget, unit, used, limit, reserved } }: { readonly budget: Budget }) {
  const { name, note, isRing } = names[budget] ?? { name: budget, note: '' }
  const share = limit === undefined || limit === 0 ? 0 : used / limit
  const kept = reserved !== undefined && reserved !== limit ? `${amount(reserved, unit)} kept for this workspace` : note
  return (
    <li>
      <span>
        {name}
        <small>{kept}</small>
      </span>
      <span class="num">
        {amount(used, unit)}
        {limit === undefined ? null : <small>of {amount(limit, unit)}</small>}
      </span>
      {limit === undefined ? null : (
        <Meter
          share={share}
          state={isRing || share < nearlyFull ? 'ink' : share < 1 ? 'wait' : 'bad'}
          label={`${name}: ${shareText(used, limit)}`}
        />
      )}
    </li>
  )
}

/** The limit of the log is one of the store. */
function withLimit(budget: Budget, { budgetBytes, reservedBytes }: Server['store']): Budget {
  if (budget.budget !== 'log' || budget.limit !== undefined || budgetBytes === undefined) return budget
  return { ...budget, limit: budgetBytes, ...(reservedBytes === undefined ? {} : { reserved: reservedBytes }) }
}

function amount(value: number, unit: Budget['unit']): string {
  return unit === 'count' ? countText(value) : bytesText(value)
}
