// What travels between the house and its pages, and what the modules hand to each other.
// Nothing here runs: these are names for the type checker and for whoever reads the code.

/**
 * A place on the board. @see src/escale/game/scene.py
 * @typedef {{id: string, x: number, y: number, outline: [number, number][], symbol: string,
 *   extra: boolean, glyph: string}} Cell
 *
 * A piece on the table; `at` is the cell or the area that it is in, `atom` what one calls it.
 * @typedef {{at: string, name: string, symbol: string, glyph: string, owner: number | null,
 *   x: number, y: number, facing: number | null, label: string, atom: string, faded: boolean,
 *   extra: boolean}} Piece
 *
 * A place beside the board.
 * @typedef {{id: string, atom: string, kind: string, spots: [number, number][]}} Area
 *
 * A part of a scene that may be shown by itself.
 * @typedef {{id: string, x: number, y: number, width: number, height: number,
 *   focus: [number, number] | null}} Panel
 *
 * A table as one seat sees it; a label is x, y, words, style; `places` are the cells that stand for
 * an atom, such as all cells of a column.
 * @typedef {{width: number, height: number, cells: Cell[], pieces: Piece[], areas: Area[],
 *   labels: [number, number, string, string][], turn: number | null,
 *   highlights: Record<string, string>, flipped: boolean, tallies: Record<string, string>,
 *   panels: Panel[], places: Record<string, string[]>}} Scene
 */

/**
 * The legal moves as a tree: each atom leads to more atoms, to the text of the move that it
 * completes, or to null where the house has to be asked for the branch.
 * @typedef {{[atom: string]: Branch | string | null}} Branch
 */

/**
 * Something that happens on the table during a move. @see src/escale/game/moves.py
 * @typedef {{kind: string, piece?: string, at?: string, to?: string, over?: string}} Change
 *
 * A moment within a move at which people look at the table: after how many of its changes, and
 * what differs then from the scene after all of them.
 * @typedef {{after: number, scene: Partial<Scene>}} Look
 *
 * One line of the log; `label` is its move as people read it, `told` its sentence.
 * @typedef {{n: number, ply: number, seat?: number | null, do: string, move?: string,
 *   label?: string, told: string, text?: string, table?: string, changes?: Change[], looks?: Look[],
 *   at?: number}} LogItem
 *
 * @typedef {{seat: number, label: string, name: string, status: "open" | "person" | "computer",
 *   level: string | null, level_name?: string | null, present: boolean, awaited: boolean}} Seat
 *
 * @typedef {{ending: string, text: string, winners: number[], shares: number[],
 *   rule: string | null}} Outcome
 *
 * @typedef {{kind: "live" | "days", remaining: number[], running: number | null,
 *   now: number}} Clock
 *
 * All that a connection knows of its table; `heard` is when, by `performance.now()`.
 * @typedef {{table: string, game: string, n: number, ply: number, begun: boolean, seats: Seat[],
 *   you: {seats: number[], as: number | null}, turn: number | "chance" | null, thinking: boolean,
 *   outcome: Outcome | null, offer: null | {seat: number, what: string, agreed: number[]},
 *   clock: Clock | null, scene: Scene, choices: Branch | null, labels: Record<string, string>,
 *   log: LogItem[], public: boolean, commitment: string | null, values: (string | null)[] | null,
 *   secret?: string | null, text: string, hidden: boolean, away: number, heard: number}} State
 *
 * Why something was refused.
 * @typedef {{code?: string, message?: string, text?: string, rule?: string | null,
 *   cells?: string[], state?: State}} Refusal
 */

export {};
