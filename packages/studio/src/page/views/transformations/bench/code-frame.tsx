import { useState } from 'preact/hooks'
import { CodeEditor } from '../../../editor/code-editor.tsx'
import { DiffView } from '../../../editor/lazy-diff-view.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Tag } from '../../../parts/signs/tag.tsx'
import { ConnectionsDialog } from '../publish/connections-dialog.tsx'
import { useKeyPaths } from '../trial/use-key-paths.ts'
import type { Bench } from './use-bench.ts'
import { useProblemLines } from './use-problem-lines.ts'
import type { Types } from './use-types.ts'

/** The code, with the lines that fail and those that take time in its gutter. */
export function CodeFrame({ bench, types }: { readonly bench: Bench; readonly types: Types }) {
  const { transformation, code, setCode, adopted, run, ran, isStale, measured, measure, liveCode, action } = bench
  const { name, destinations = [], language } = transformation
  const paths = useKeyPaths()
  const problems = useProblemLines(isStale ? undefined : ran)
  const [isCompared, setCompared] = useState(false)
  const [isConnecting, setConnecting] = useState(false)
  const hottest = measured?.lines[0]
  return (
    <section class="frame editor-frame" aria-label="Code">
      <header class="frame-head">
        <span class="row">
          <Tag isMono>{language === 'typescript' ? 'TypeScript' : 'JavaScript'}</Tag>
          <button type="button" class="ghost small" onClick={() => setConnecting(true)}>
            {destinations.length === 0
              ? 'Runs before no destination'
              : `Runs before ${destinations.map((each) => each.name).join(', ')}`}
          </button>
        </span>
        <button
          type="button"
          class="ghost small"
          disabled={liveCode === undefined || liveCode === code}
          onClick={() => setCompared(true)}
        >
          <Icon name="git-compare" />
          Compare with what is live
        </button>
      </header>
      <CodeEditor
        key={adopted}
        label={`Code of ${name}`}
        code={code}
        onChange={setCode}
        onRun={() => void run()}
        isFixed={false}
        problems={problems}
        heat={measured?.lines ?? noHeat}
        paths={paths}
        typeLibraries={types.libraries}
        onTypes={types.onTypes}
      />
      <footer class="frame-foot">
        {hottest === undefined ? (
          <button type="button" class="ghost small" disabled={action.isBusy} onClick={measure}>
            <Icon name="flame" />
            Measure lines
          </button>
        ) : (
          <span role="status">
            <Icon name="flame" /> Line {hottest.line} takes {Math.round(hottest.share * 100)} % of the time,{' '}
            {hottest.microsPerEvent.toFixed(1)} µs an event
          </span>
        )}
        <span>Esc, then Tab leaves the editor</span>
      </footer>
      <Dialog title={`${name}: changes from the live version`} isOpen={isCompared} onClose={() => setCompared(false)}>
        <DiffView label="Changes from the live version" before={liveCode ?? ''} after={code} />
      </Dialog>
      <ConnectionsDialog bench={bench} isOpen={isConnecting} onClose={() => setConnecting(false)} />
    </section>
  )
}

const noHeat = [] as const
