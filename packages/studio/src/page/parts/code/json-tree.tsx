import './code.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { JsonLeaf } from './json-leaf.tsx'

interface JsonTreeProps {
  readonly label: string
  readonly value: unknown
  /** Paths of members that are closed at first, such as `context` or `properties.products.0`. */
  readonly closed?: readonly string[]
  /** Beside values, by path. */
  readonly marks?: Readonly<Record<string, ComponentChildren>>
}

interface NodeProps extends Pick<JsonTreeProps, 'closed' | 'marks'> {
  readonly value: object
  readonly path: string
}

/** Members of one value that are shown: a value with a million keys makes no page slow. */
const membersMax = 200
/** Deeper members are closed at first. */
const openDepth = 6

/** A value as a tree that opens and closes. Members are made when they are opened. */
export function JsonTree({ label, value, closed, marks }: JsonTreeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="tree" tabIndex={0} aria-label={label}>
      {isParent(value) ? <Members value={value} path="" closed={closed} marks={marks} /> : <JsonLeaf value={value} />}
    </section>
  )
}

function Members({ value, path, closed, marks }: NodeProps) {
  const members = Object.entries(value)
  return (
    <ul>
      {members.slice(0, membersMax).map(([key, member]) => {
        const own = path === '' ? key : `${path}.${key}`
        const name = <span class={Array.isArray(value) ? 'c-quiet' : 'c-key'}>{key}</span>
        return (
          <li key={key}>
            {isParent(member) ? (
              <Branch value={member} path={own} closed={closed} marks={marks} name={name} />
            ) : (
              <>
                {name} <JsonLeaf value={member} /> {marks?.[own]}
              </>
            )}
          </li>
        )
      })}
      {members.length > membersMax ? <li class="hint">{members.length - membersMax} more are not shown.</li> : null}
    </ul>
  )
}

function Branch({ name, ...node }: NodeProps & { readonly name: ComponentChildren }) {
  const { value, path, closed, marks } = node
  const size = Object.keys(value).length
  const [isOpen, setOpen] = useState(() => size > 0 && !closed?.includes(path) && path.split('.').length <= openDepth)
  const word = Array.isArray(value) ? (size === 1 ? 'item' : 'items') : size === 1 ? 'key' : 'keys'
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} <span class="c-quiet">{`${size} ${word}`}</span> {marks?.[path]}
      </summary>
      {isOpen ? <Members {...node} /> : null}
    </details>
  )
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
