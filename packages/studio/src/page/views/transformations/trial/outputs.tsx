import { DiffView } from '../../../editor/lazy-diff-view.tsx'
import { JsonBlock } from '../../../parts/json-block.tsx'
import type { RunResult } from '../transformation.ts'

/** The outputs of a run, beside those of the live version where that is another one. */
export function Outputs({ ran, live }: { readonly ran: RunResult; readonly live: RunResult | undefined }) {
  const { transformedEvents, logs, problems } = ran
  const after = JSON.stringify(transformedEvents, null, 2)
  const before = live && JSON.stringify(live.transformedEvents, null, 2)
  return (
    <div class="columns">
      <section>
        <h3>Outputs</h3>
        {before === undefined ? (
          <JsonBlock label="Outputs" value={after} />
        ) : before === after ? (
          <>
            <p class="in good">The same as the live version.</p>
            <JsonBlock label="Outputs" value={after} />
          </>
        ) : (
          <>
            <p>Different from the live version:</p>
            <DiffView label="Outputs, compared with the live version" before={before} after={after} />
          </>
        )}
      </section>
      <section>
        {problems.length > 0 ? (
          <>
            <h3 class="in bad">Problems</h3>
            <ul>
              {problems.map(({ error, line, module }, n) => (
                <li key={`${n} ${error}`}>
                  {line === undefined ? '' : `${module ?? 'line'} ${line}: `}
                  {error}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        <h3>Log</h3>
        <JsonBlock label="Log" value={logs.length > 0 ? logs.join('\n') : 'Nothing was logged.'} />
      </section>
    </div>
  )
}
