interface SkeletonProps {
  /** Lines of text that will be there. */
  readonly lines?: number
  /** In place of lines: something as high as a chart. */
  readonly isTall?: boolean
}

const widths = ['w-3', 'w-2', 'w-1']

/** Holds the place of what is being loaded, so that nothing jumps when it is there. */
export function Skeleton({ lines = 3, isTall }: SkeletonProps) {
  return (
    <div class="stack" aria-busy="true" role="status" aria-label="Loading">
      {isTall ? (
        <span class="skeleton tall" />
      ) : (
        Array.from({ length: lines }, (_, n) => <span key={n} class={`skeleton ${widths[n % widths.length]}`} />)
      )}
    </div>
  )
}
