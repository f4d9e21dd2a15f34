import { allows } from '../../../api/session.ts'
import { Toggle } from '../../../parts/fields/toggle.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Tabs } from '../../../parts/page/tabs.tsx'
import { Scroll } from '../../../parts/scroll.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { filters, setFilters } from '../../../shell/router.ts'
import { LiveLog } from '../trial/live-log.tsx'
import { MeasuredLines } from './measured-lines.tsx'
import { TestTable } from './test-table.tsx'
import type { Bench } from './use-bench.ts'
import type { Types } from './use-types.ts'

const checks = ['log', 'tests', 'live', 'types', 'lines'] as const

/** What checks the code: tests, logs, types, and how long its lines take. */
export function Checks({ bench, types }: { readonly bench: Bench; readonly types: Types }) {
  const mayWatch = allows('operate')
  const shown = checks.find((each) => each === filters.value['check'] && (each !== 'live' || mayWatch)) ?? 'log'
  const { transformation, tests, testResults, testNow, ran, measure, action } = bench
  const failed = testResults.filter(({ differences }) => differences.length > 0).length
  const logs = ran?.draft.logs ?? []
  return (
    <section class="panel checks-panel" aria-label="Checks">
      <Tabs
        label="Checks"
        kind="inset"
        value={shown}
        onChange={(check) => setFilters({ check })}
        actions={
          shown === 'tests' && tests.length > 0 ? (
            <button type="button" class="ghost small" onClick={() => void testNow()}>
              <Icon name="flask-conical" />
              Run tests
            </button>
          ) : shown === 'lines' ? (
            <button type="button" class="ghost small" disabled={action.isBusy} onClick={measure}>
              <Icon name="flame" />
              Measure again
            </button>
          ) : null
        }
        tabs={[
          {
            id: 'log',
            title: 'Log',
            ...(logs.length > 0 ? { count: String(logs.length) } : {}),
            content: () => <RunLog logs={logs} />,
          },
          {
            id: 'tests',
            title: 'Tests',
            ...(tests.length > 0
              ? { count: failed > 0 ? `${failed} of ${tests.length} fail` : String(tests.length), isBad: failed > 0 }
              : {}),
            content: () => <TestTable bench={bench} />,
          },
          ...(mayWatch
            ? [
                {
                  id: 'live' as const,
                  title: 'Live log',
                  content: () => <LiveLog transformationId={transformation.id} />,
                },
              ]
            : []),
          {
            id: 'types',
            title: 'Types',
            ...(types.libraries === undefined ? {} : { count: String(types.problems.length) }),
            content: () => <TypeProblems types={types} />,
          },
          { id: 'lines', title: 'Lines', content: () => <MeasuredLines bench={bench} /> },
        ]}
      />
    </section>
  )
}

function RunLog({ logs }: { readonly logs: readonly string[] }) {
  if (logs.length === 0) return <p class="side-note">Nothing was logged by the last run.</p>
  return (
    <Scroll label="Log">
      <pre class="log-lines">{logs.join('\n')}</pre>
    </Scroll>
  )
}

function TypeProblems({ types: { libraries, problems, turn, action } }: { readonly types: Types }) {
  return (
    <div class="side-note stack">
      <Toggle
        label="Check types"
        help="Loads TypeScript, about 1 MB. Completions and hovers know types, too."
        isOn={libraries !== undefined}
        isDisabled={action.isBusy}
        onChange={turn}
      />
      <Outcome action={action} />
      {libraries !== undefined && problems.length === 0 ? <p>No problem was found.</p> : null}
      <ul>
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
