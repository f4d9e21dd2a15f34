import { iconShapes } from './icon-shapes.ts'

/** Names of the icons that the page has; `icons.mjs` adds others. */
export type IconName = keyof typeof iconShapes

interface IconProps {
  readonly name: IconName
  readonly isLarge?: boolean
}

/** A decoration: what it means must be in the text beside it, or in the label of its button. */
export function Icon({ name, isLarge }: IconProps) {
  return (
    <svg class={`icon${isLarge ? ' large' : ''}`} viewBox="0 0 24 24" aria-hidden="true">
      {iconShapes[name].map(([Shape, attributes]) => (
        <Shape key={JSON.stringify(attributes)} {...attributes} />
      ))}
    </svg>
  )
}
