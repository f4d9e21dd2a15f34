import Type, { type Static } from 'typebox'

/** For routes that show personal data masked, unless `reveal` is true. */
export const revealQuery = Type.Object({
  reveal: Type.Optional(
    Type.Boolean({
      description:
        'true or false: whether to show personal data. It needs the scope write, too, and is written to the audit log.',
    }),
  ),
})
/** Whether a call shows personal data. */
export const isRevealed = ({ reveal = false }: Static<typeof revealQuery>): boolean => reveal
