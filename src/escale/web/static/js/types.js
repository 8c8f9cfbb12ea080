// What travels between the house and its pages. Nothing here runs: these are names for the type
// checker and for who reads the code.
//
// Made from the schema (src/escale/match/events.py, and the messages of the server's rooms) by
// python -m escale.server.browser_types

// ---- what the house sends ----

/**
 * The player of a seat.
 * @typedef {{seat: number, label: string, name: string, status: "computer" | "open" | "person",
 *   level: string | null, level_name: string | null, present: boolean, awaited: boolean,
 *   called: string, bot?: boolean}} SeatState
 */

/**
 * Which seats are yours.
 * @typedef {{seats: number[], as: number | null}} You
 */

/**
 * Something that will end the game by itself, soon.
 * @typedef {{ending: string, left: number | null, text: string}} CountdownState
 */

/**
 * How a match ended, with a sentence.
 * @typedef {{ending: string, rule: string | null, winners: number[], shares: number[],
 *   scores?: number[], text: string, cells: string[], where: string, after?: string}} OutcomeState
 */

/**
 * An offer that waits for its answers.
 * @typedef {{seat: number, what: string, agreed: number[]}} OfferState
 */

/**
 * The times that a clock shows at a moment.
 * @typedef {{kind: "days" | "live", remaining: number[], running: number[], now: number,
 *   paused: number[]}} Reading
 */

/**
 * The parts of a scene beyond its board; a missing or null part is as on the board.
 * @typedef {{board: string, turn: number | null, highlights: Record<string, string>,
 *   tallies: Record<string, ([string, number, number | null])[]>, pieces: any[], width?: number,
 *   height?: number, quarters?: number, places?: Record<string, string[]>, cells?: any[],
 *   areas?: any[], labels?: any[], panels?: any[], hulls?: string[][]}} StateOfPlay
 */

/**
 * The emblem of a seat, and the game's counts for it.
 * @typedef {{symbol: string, name: string, tallies: string[]}} Badge
 */

/**
 * The legal moves as a tree: each atom leads to more atoms, or completes a move: 1 where its text
 * is the atoms joined by hyphens, else its text, else both with the ways of the pieces, if those
 * are not through the cells among the atoms: `[1, "-2 4-1"]` after a3 and c for a3-c2 and a4-c1,
 * without what the first two atoms, and then the way before, have in the same place. Null where the
 * house has to be asked for the branch.
 * @typedef {{[atom: string]: SentBranch | string | 1 | [string | 1, string] | null}} SentBranch
 */

/**
 * The facts that the prompts of a game need beyond the atoms.
 * @typedef {{name: string, values: Record<string, string>}} SituationState
 */

/**
 * How a match ended.
 * @typedef {{ending: string, rule: string | null, winners: number[], shares: number[],
 *   scores?: number[]}} OutcomeFacts
 */

/**
 * Something that happens on the table during a move.
 * @typedef {{kind: string, piece?: string, at?: string, to?: string, over?: string, way?: string[],
 *   sentence?: string}} Change
 */

/**
 * A moment within a move at which people look at the table.
 * @typedef {{after: number, scene: Record<string, any>}} Pause
 */

/**
 * One line of the log: an event, and the sentence that tells it.
 * @typedef {{n: number, do: "answer" | "begin" | "decline" | "draw" | "end" | "flag" | "nudge" |
 *   "offer" | "pause" | "phrase" | "play" | "publish" | "rematch" | "reopen" | "resign" | "say" |
 *   "sit" | "takeback" | "withdraw", ply: number, sentence: string, values?: (string | null)[],
 *   at?: number, seat?: number, name?: string, level?: string, value?: string, fault?: "died" |
 *   "illegal" | "late" | "nonsense" | "refused", bot?: boolean, reason?: "busy" | "clock" | "game"
 *   | "later" | "options", whom?: number, move?: string, what?: "draw" | "rematch" | "takeback",
 *   yes?: boolean, closed?: number, until?: number, outcome?: OutcomeFacts, secret?: string,
 *   rematch?: string, table?: string, public?: boolean, text?: string, phrase?: "again" |
 *   "good-luck" | "goodbye" | "have-fun" | "hello" | "nice-move" | "one-moment" | "oops" | "sorry"
 *   | "thanks" | "well-played" | "your-turn", label?: string, by?: string, changes?: Change[],
 *   pauses?: Pause[]}} LogItem
 */

/**
 * A table as you may see it.
 * @typedef {{type: "state", table: string, game: string, title: string, n: number, ply: number,
 *   moves: number, begun: boolean, seats: SeatState[], you: You, turn: number | "chance" | null,
 *   choosing: number[], unshown: number, veiled: boolean, thinking: boolean,
 *   countdowns: CountdownState[], outcome: OutcomeState | null, offer: OfferState | null,
 *   takeback: number | null, clock: Reading | null, scene: StateOfPlay, near: number,
 *   badges: Badge[], choices: SentBranch | null, situation: SituationState | null, log: LogItem[],
 *   public: boolean, composed: boolean, dealt_by_hand: string | null, commitment: string,
 *   values: (string | null)[], secret: string | null, next: string | null, hidden: boolean,
 *   phrases: boolean, away: number, hints: boolean, closed: boolean, nudge: number[]}} TableState
 */

/**
 * A place on the board.
 * @typedef {{id: string, x: number, y: number, outline: [number, number][], symbol: string,
 *   extra: boolean, glyph: string}} Cell
 */

/**
 * A place beside the board that holds a number of pieces of one kind.
 * @typedef {{id: string, atom: string, kind: string, spots: [number, number][]}} Area
 */

/**
 * A part of a scene that renderers can place by itself, as they have room.
 * @typedef {{id: string, x: number, y: number, width: number, height: number, kind: string,
 *   focus: [number, number][]}} Panel
 */

/**
 * A kind of piece.
 * @typedef {{symbol: string, glyph: string, letter: string, owner: number | null, facing: number |
 *   null}} Kind
 */

/**
 * The constant part of a game's scenes: the cells, and the drawings around them.
 * @typedef {{width: number, height: number, quarters: number, places: Record<string, string[]>,
 *   cells: Cell[], areas: Area[], labels: ([number, number, string | [string, Record<string,
 *   number> | null], string])[], panels: Panel[], kinds: Record<string, Kind>}} BoardFacts
 */

/**
 * The events since one that you know.
 * @typedef {{type: "events", n: number, events: LogItem[], state: Record<string, any>}} Events
 */

/**
 * Over a live connection: which seats have a person looking at the table.
 * @typedef {{type: "presence", present: boolean[]}} Presence
 */

/**
 * Over a live connection: the event that an action became, on the disk.
 * @typedef {{type: "done", id: string, n: number}} Acknowledged
 */

/**
 * Over a live connection: the reason why an action is refused.
 * @typedef {{type: "refused", code: string, message: string, rule?: string, cells?: string[],
 *   detail?: string, request?: string, state?: TableState, id: string | null}} Refused
 */

/**
 * A refusal of a request.
 * @typedef {{code: string, message: string, rule?: string, cells?: string[], detail?: string,
 *   request?: string}} Refusal
 */

/**
 * The action cannot be done now; for a stale move, with the present state of the table.
 * @typedef {{code: string, message: string, rule?: string, cells?: string[], detail?: string,
 *   request?: string, state?: TableState}} StaleRefusal
 */

/**
 * The event that an action became.
 * @typedef {{n: number}} Done
 */

/**
 * The table after a number of moves.
 * @typedef {{ply: number, move: string | null, sentence: string, scene: StateOfPlay,
 *   pauses: StateOfPlay[]}} Ply
 */

/**
 * A cell beside the way of a piece that jumps, and what stands there after the jump.
 * @typedef {{at: string, symbol: string | null, facing: number | null}} Became
 */

/**
 * The atoms that may follow some atoms.
 * @typedef {{choices: SentBranch, labels: Record<string, string>, prompt: string,
 *   became: Became[]}} ChoiceFacts
 */

/**
 * The reason why an attempt is no move.
 * @typedef {{legal: boolean, text: string, rule: string | null, cells: string[]}} Reason
 */

/**
 * The board in characters and words.
 * @typedef {{n: number, text: string}} BoardText
 */

/**
 * A figure of the rules: a position, with the move or attempt that it shows.
 * @typedef {{id: string, rules: string[], caption: string, position: string, line: string[],
 *   move: string | null, attempt: string | null, refused: string | null, cells: string[]}}
 *   ExampleFacts
 */

/**
 * A piece on the table.
 * @typedef {{at: string, name: string, symbol: string, glyph: string, owner: number | null,
 *   x: number, y: number, facing: number | null, label: string, atom: string, faded: boolean,
 *   extra: boolean}} Piece
 */

/**
 * A table as one viewer sees it.
 * @typedef {{width: number, height: number, cells: Cell[], pieces: Piece[], areas: Area[],
 *   labels: ([number, number, string | [string, Record<string, number> | null], string])[],
 *   turn: number | null, highlights: Record<string, string>, quarters: number,
 *   tallies: Record<string, ([string, number, number | null])[]>, panels: Panel[],
 *   places: Record<string, string[]>, hulls: string[][]}} Scene
 */

/**
 * Whether an attempt in a figure is a move; if not, the reason.
 * @typedef {{legal: boolean, move?: string, sentence?: string, scene?: Scene,
 *   outcome?: OutcomeState, text?: string, rule?: string, cells?: string[]}} AttemptResult
 */

/**
 * A new table; the token is shown this once.
 * @typedef {{table: string, token: string, seats: number[]}} Opened
 */

/**
 * Your seat's token, shown this once.
 * @typedef {{token: string}} Seated
 */

/**
 * A move, with the cells that show it.
 * @typedef {{text: string, label: string, atoms: string[], ways: string[][]}} ShownMove
 */

/**
 * A position to study.
 * @typedef {{start: string, line: string[], spelled: string[], position: string, turn: number |
 *   "chance" | null, ply: number, moves: number, scene: StateOfPlay, near: number, badges: Badge[],
 *   choices: SentBranch | null, labels: Record<string, string>, situation: SituationState | null,
 *   countdowns: CountdownState[], outcome: OutcomeState | null, last: ShownMove | null,
 *   sentence: string, changes: Change[]}} StudyPosition
 */

/**
 * A move, the expected continuation, and its value.
 * @typedef {{moves: ShownMove[], shares: number[], proven: boolean, plies: number | null,
 *   verdict: string}} AnalysisLine
 */

/**
 * The best lines found so far; more results follow until the `last`.
 * @typedef {{lines: AnalysisLine[], method: string, count: number, depth: number, assumed: string,
 *   last: boolean}} AnalysisLook
 */

/**
 * A match as a line to study.
 * @typedef {{game: string, start: string, line: string[], hidden: boolean}} TableStudy
 */

/**
 * The move to play, with the reason.
 * @typedef {{ply: number, move: ShownMove, kind: string, proven: boolean, text: string,
 *   further: string, chance: boolean, look: string, nudge: string}} HintFacts
 */

/**
 * The coach's remark on a move before it is made.
 * @typedef {{ply: number, mark: string | null, warns: boolean, near: boolean, look: string,
 *   question: string, story: string, better: ShownMove}} CoachRemark
 */

/**
 * The judgement of a move in a puzzle; everything in it is proven.
 * @typedef {{verdict: "right" | "slower" | "solved" | "wrong", text: string, replies: string[]}}
 *   PuzzleVerdict
 */

/**
 * Help with a puzzle.
 * @typedef {{text: string, rule?: string | null, place?: string | null, move?: ShownMove | null}}
 *   PuzzleHint
 */

/**
 * One seat's part of the match.
 * @typedef {{name: string, player: string, colour: string, marks: Record<string, number>,
 *   loss: number}} SeatText
 */

/**
 * A move of the match with its judgement in words.
 * @typedef {{number: number, ply: number, seat: number, who: string, text: string, label: string,
 *   mark: string, symbol: string, judged: string, why: string, open: string, better: string,
 *   before: number[]}} MoveText
 */

/**
 * One move of a line.
 * @typedef {{text: string, label: string, who: string}} StepText
 */

/**
 * A continuation of the game, and its value.
 * @typedef {{steps: StepText[], verdict: string, proven: boolean}} LineText
 */

/**
 * A turning point.
 * @typedef {{index: number, sentence: string, title: string, why: string, open: string,
 *   better: LineText, played: LineText}} TurnText
 */

/**
 * A review in words.
 * @typedef {{game: string, title: string, result: string, effort: string, knowing: string,
 *   seats: SeatText[], moves: MoveText[], turns: TurnText[], end: number[], start: string,
 *   line: string[]}} ReviewText
 */

/**
 * The review of a finished match, or its progress.
 * @typedef {{state: "made" | "making" | "none", done: number, total: number, problem: string |
 *   null, review: ReviewText | null}} ReviewState
 */

/**
 * A game of one person.
 * @typedef {{table: string, game: string, title: string, picture: string, status: "draw" | "due" |
 *   "lost" | "open" | "over" | "running" | "won", line: string, people: string, at: number,
 *   ago: string, until: number | null, left: string}} MyGame
 */

/**
 * Games of a notebook.
 * @typedef {{games: MyGame[], waiting: number}} MyGames
 */

/**
 * The puzzles that were solved, and the number in a row without a mistake.
 * @typedef {{solved?: Record<string, number>, run?: number, best?: number}} Puzzles
 */

/**
 * The progress of a person in a lesson.
 * @typedef {{at?: string, done?: string[], of?: number}} Lesson
 */

/**
 * The things a person has done away from the tables, and the games they took off their list.
 * @typedef {{puzzles?: Puzzles, lessons?: Record<string, Lesson>, unlisted?: string[]}} Progress
 */

/**
 * The facts that a notebook knows about its owner.
 * @typedef {{name?: string, lang?: string, progress?: Progress}} NotebookFacts
 */

/**
 * Where a person wants notices.
 * @typedef {{id: string, kind: "feed" | "hook" | "mail" | "ntfy" | "push", address: string,
 *   confirmed: boolean}} EndpointFacts
 */

/**
 * What your notebook wants to be told, and how this house can tell it.
 * @typedef {{kinds: string[], push_key: string, endpoints: EndpointFacts[], quiet: boolean}}
 *   NoticeFacts
 */

/**
 * How many games wait for you.
 * @typedef {{version: string, waiting: number, title: string, table: string}} Turns
 */

/**
 * Everything that belongs to a box, for a browser that takes it along.
 * @typedef {{edition: string, size: number, compiled: boolean, files: [string, number][]}} BoxFiles
 */

/**
 * The table in the house.
 * @typedef {{table: string, how: "beside" | "known" | "more" | "new"}} TakenUp
 */

// ---- what people ask for ----

/**
 * Play a move; it is refused as stale if the table has changed since event `n`.
 * @typedef {{do: "play", n: number, move: string, id: string, seat: number}} Play
 */

/**
 * Resign; with more than two seats, hand your seat to the computer instead.
 * @typedef {{do: "resign", id: string, seat: number, n?: number | null}} Resign
 */

/**
 * Offer a draw, ask to take your last move back, or after the end to play again.
 * @typedef {{do: "offer", what: "draw" | "rematch" | "takeback", value?: string | null, id: string,
 *   seat: number, n?: number | null}} MakeOffer
 */

/**
 * Answer the offer on the table; the seat that made it withdraws it with no.
 * @typedef {{do: "answer", yes: boolean, value?: string | null, id: string, seat: number,
 *   n?: number | null}} GiveAnswer
 */

/**
 * Undo a seat's last move and all later ones, if all seats of other people are yours.
 * @typedef {{do: "takeback", id: string, seat: number, n?: number | null}} TakeBack
 */

/**
 * Let the computer play on for your seat, for an open one, or for one whose owner has left.
 * @typedef {{do: "hand", level?: string | null, id: string, seat: number, n?: number | null}} Hand
 */

/**
 * Take your seat back from the computer.
 * @typedef {{do: "take", id: string, seat: number, n?: number | null}} Take
 */

/**
 * Change the name of your seat.
 * @typedef {{do: "rename", name: string, id: string, seat: number, n?: number | null}} Rename
 */

/**
 * Send a message to all at the table.
 * @typedef {{do: "say", text: string, id: string, seat: number, n?: number | null}} Say
 */

/**
 * Say a set phrase to all at the table.
 * @typedef {{do: "phrase", phrase: "again" | "good-luck" | "goodbye" | "have-fun" | "hello" |
 *   "nice-move" | "one-moment" | "oops" | "sorry" | "thanks" | "well-played" | "your-turn",
 *   id: string, seat: number, n?: number | null}} SayPhrase
 */

/**
 * List the table in the lobby, or remove it: anyone may sit down there, or watch.
 * @typedef {{do: "publish", public: boolean, id: string, seat: number, n?: number | null}} Publish
 */

/**
 * Sit down on your seat that was created with `later`, having seen the commitment.
 * @typedef {{do: "sit", value?: string | null, id: string, seat: number, n?: number | null}}
 *   SitDown
 */

/**
 * Decline the open seat on which you are expected; anyone may take it then.
 * @typedef {{do: "decline", reason?: "busy" | "clock" | "game" | "later" | "options" | null,
 *   id: string, seat: number, n?: number | null}} Decline
 */

/**
 * Withdraw the challenge to a bot; anyone may take its seat then.
 * @typedef {{do: "withdraw", whom: number, id: string, seat: number, n?: number | null}} Withdraw
 */

/**
 * Remind those whose turn it is; once a turn, and half a day after the last move.
 * @typedef {{do: "nudge", id: string, seat: number, n?: number | null}} Nudge
 */

/**
 * Over a live connection: look as another of your seats.
 * @typedef {{do: "view", as?: number | null, id?: string | null}} View
 */

/**
 * The first message over a live connection.
 * @typedef {{do: "hello", token?: string | null, as?: number | null, since?: number | null,
 *   lang?: string | null, lean?: boolean}} Hello
 */

/**
 * @typedef {Play | Resign | MakeOffer | GiveAnswer | TakeBack | Hand | Take | Rename | Say |
 *   SayPhrase | Publish | SitDown | Decline | Withdraw | Nudge} Action
 */

export {};
