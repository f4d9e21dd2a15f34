/** Keys that are pressed together or one after the other. */
export function Keys({ names }: { readonly names: readonly string[] }) {
  return (
    <span class="keys">
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  )
}
