/** Keys that are pressed together or one after the other: for the eye, beside a control that has them as `aria-keyshortcuts`. */
export function Keys({ names }: { readonly names: readonly string[] }) {
  return (
    <span class="keys" aria-hidden="true">
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  )
}
