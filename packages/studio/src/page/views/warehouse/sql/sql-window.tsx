import { useState } from 'preact/hooks'
import { Outcome } from '../../../parts/outcome.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Keys } from '../../../parts/signs/keys.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { Misfit } from '../warehouse.ts'
import { type QueryAnswer, runQuery } from './query-answer.ts'
import { QueryResult } from './query-result.tsx'
import { TableTree } from './table-tree.tsx'

interface SqlWindowProps {
  readonly base: string
  readonly misfits: readonly Misfit[]
}

const first = 'select table_schema, table_name\nfrom information_schema.tables\norder by 1, 2'

/** Tables on the left, a query and its result on the right. The server lets a query read the file, and nothing else. */
export function SqlWindow({ base, misfits }: SqlWindowProps) {
  const [sql, setSql] = useState(first)
  const [answer, setAnswer] = useState<QueryAnswer>()
  const action = useAction()
  const run = (text = sql): void =>
    void action.run(async () => {
      setAnswer(await runQuery(base, text))
      return undefined
    })
  return (
    <div class="sql">
      <TableTree
        base={base}
        misfits={misfits}
        onChoose={(text) => {
          setSql(text)
          run(text)
        }}
      />
      <div class="stack">
        <section class="panel" aria-label="Query">
          <header class="panel-head">
            <span class="row">
              <h2>Query</h2>
              <Pill state="idle" icon="lock">
                Reads only
              </Pill>
            </span>
            <button type="button" class="main small" disabled={action.isBusy} onClick={() => run()}>
              <Icon name="play" />
              Run
              <Keys names={['Ctrl', 'Enter']} />
            </button>
          </header>
          <label class="field">
            <span class="unseen">SQL, which can only read</span>
            <textarea
              class="mono"
              rows={7}
              spellcheck={false}
              value={sql}
              onInput={(event) => setSql(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
              }}
            />
          </label>
        </section>
        <Outcome action={action} />
        {answer ? <QueryResult answer={answer} /> : null}
      </div>
    </div>
  )
}
