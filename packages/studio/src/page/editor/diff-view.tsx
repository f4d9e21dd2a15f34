import './code-editor.css'
import { javascript } from '@codemirror/lang-javascript'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { codeColours } from './code-colours.ts'

/** What changed between two texts, line by line. */
export function DiffView({
  label,
  before,
  after,
}: {
  readonly label: string
  readonly before: string
  readonly after: string
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="sluice-nonce"]')?.content ?? ''
    const view = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: after,
        extensions: [
          EditorView.cspNonce.of(nonce),
          javascript({ typescript: true }),
          codeColours,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          unifiedMergeView({ original: before, mergeControls: false, gutter: true }),
        ],
      }),
    })
    return () => view.destroy()
  }, [before, after, label])
  return <div class="code-editor" ref={place} />
}
