import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CodeEditorProps, LineProblem } from '../editor/code-editor.tsx'
import type { KeyPath } from '../editor/event-paths.ts'

interface CodeBoxProps {
  readonly code: string
  readonly onChange: (code: string) => void
  readonly onRun: () => void
  readonly problems: readonly LineProblem[]
  readonly paths: readonly KeyPath[]
  readonly isTyped: boolean
}

const noLibraries = {}

/** The code: plain text until it takes the focus, then an editor, which takes half as long to load as all the rest. */
export function CodeBox({ code, onChange, onRun, problems, paths, isTyped }: CodeBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [editor, setEditor] = useState<{ readonly Editor: ComponentType<CodeEditorProps>; readonly at: number }>()
  const isLoading = useRef(false)
  const load = (): void => {
    if (isLoading.current) return
    isLoading.current = true
    import('../editor/code-editor.tsx').then(
      ({ CodeEditor: Editor }) => setEditor({ Editor, at: box.current?.selectionStart ?? 0 }),
      // The text stays as it is.
      () => {},
    )
  }
  useEffect(() => {
    if (isTyped) load()
  }, [isTyped])
  if (editor)
    return (
      <editor.Editor
        label="Code"
        code={code}
        onChange={onChange}
        onRun={onRun}
        isFixed={false}
        startAt={editor.at}
        problems={problems}
        paths={paths}
        typeLibraries={isTyped ? noLibraries : undefined}
      />
    )
  return (
    <textarea
      ref={box}
      class="code"
      rows={Math.min(30, Math.max(12, code.split('\n').length + 1))}
      spellcheck={false}
      aria-label="Code"
      value={code}
      onFocus={load}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )
}
