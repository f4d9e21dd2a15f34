import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  /** Height of each row, in pixels. */
  readonly rowPx: number
  /** Height of the list, in pixels. */
  readonly heightPx: number
  readonly keyOf: (item: Item) => string | number
  readonly row: (item: Item) => ComponentChildren
  /** Called when the reader scrolls away from the top, or back to it. */
  readonly onAtTop?: (isAtTop: boolean) => void
}

/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const spareRows = 8

/** A list of any length whose rows have one height: only the visible ones exist. */
export function VirtualList<Item>({ label, items, rowPx, heightPx, keyOf, row, onAtTop }: VirtualListProps<Item>) {
  const box = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const onScroll = (): void => {
      setTop(element.scrollTop)
      onAtTop?.(element.scrollTop < rowPx)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [onAtTop, rowPx])
  const first = Math.max(0, Math.floor(top / rowPx) - spareRows)
  const shown = items.slice(first, first + Math.ceil(heightPx / rowPx) + 2 * spareRows)
  return (
    <section
      class="virtual-list"
      ref={box}
      style={{ maxHeight: `${heightPx}px` }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      aria-label={label}
    >
      <ul style={{ height: `${items.length * rowPx}px` }}>
        {shown.map((item, n) => (
          <li key={keyOf(item)} style={{ height: `${rowPx}px`, transform: `translateY(${(first + n) * rowPx}px)` }}>
            {row(item)}
          </li>
        ))}
      </ul>
    </section>
  )
}
