import { useState } from 'preact/hooks'
import { SqlEditor } from '../../../editor/lazy-sql-editor.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Keys } from '../../../parts/signs/keys.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { Misfit } from '../warehouse.ts'
import { type QueryAnswer, runQuery } from './query-answer.ts'
import { QueryResult } from './query-result.tsx'
import { SavedQueries } from './saved-queries.tsx'
import type { SavedQuery } from './saved-query.ts'
import { TableTree } from './table-tree.tsx'

interface SqlWindowProps {
  readonly base: string
  readonly misfits: readonly Misfit[]
  /** Another number reads the tables again: there was a load. */
  readonly syncs: number
}

const first = 'select table_schema, table_name\nfrom information_schema.tables\norder by 1, 2'

/** Tables on the left, a query and its result on the right. The server lets a query read the file, and nothing else. */
export function SqlWindow({ base, misfits, syncs }: SqlWindowProps) {
  const [sql, setSql] = useState(first)
  const [answer, setAnswer] = useState<QueryAnswer>()
  const action = useAction()
  const [saved, setSaved] = useState<SavedQuery>()
  /** Counts the texts that were put into the editor from elsewhere. */
  const [opened, setOpened] = useState(0)
  const run = (text = sql): void =>
    void action.run(async () => {
      setAnswer(await runQuery(base, text))
      return undefined
    })
  const open = (text: string): void => {
    setSql(text)
    setOpened(opened + 1)
    run(text)
  }
  return (
    <div class="sql">
      <TableTree
        base={base}
        misfits={misfits}
        syncs={syncs}
        onChoose={(text) => {
          setSaved(undefined)
          open(text)
        }}
      />
      <div class="stack">
        <section class="panel" aria-label="Query">
          <header class="panel-head">
            <span class="row">
              <h2>{saved?.name ?? 'Query'}</h2>
              <Pill state="idle" icon="lock">
                Reads only
              </Pill>
            </span>
            <span class="row">
              <SavedQueries
                sql={sql}
                opened={saved}
                onOpen={(query) => {
                  setSaved(query)
                  open(query.sql)
                }}
                onSaved={setSaved}
              />
              <button type="button" class="main small" disabled={action.isBusy} onClick={() => run()}>
                <Icon name="play" />
                Run
                <Keys names={['Ctrl', 'Enter']} />
              </button>
            </span>
          </header>
          <SqlEditor key={opened} label="SQL, which can only read" sql={sql} onChange={setSql} onRun={run} />
        </section>
        <Outcome action={action} />
        {answer ? <QueryResult answer={answer} /> : null}
      </div>
    </div>
  )
}
