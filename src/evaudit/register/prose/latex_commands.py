r"""What LaTeX commands print and which of their arguments are words; a command that stands nowhere here is told."""

from __future__ import annotations

from collections.abc import Mapping


def _pairs(table: str) -> dict[str, str]:
    """Name to what it prints: the words of a table, two by two."""
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _by_form(table: str) -> dict[str, str]:
    """Name to form, of lines that each begin with a form."""
    return {name: form for form, *names in map(str.split, table.splitlines()) for name in names}


_MARKS = """
` \u0300 ' \u0301 ^ \u0302 " \u0308 ~ \u0303 = \u0304 . \u0307
c \u0327 v \u030c u \u0306 H \u030b k \u0328 r \u030a d \u0323 b \u0331
"""
MARKS: Mapping[str, str] = _pairs(_MARKS)
"""Accents to the combining characters that they are."""

SYMBOLS: Mapping[str, str] = {
    ",": "\u2009", ";": " ", ":": " ", "!": "", " ": " ", "\n": " ", ">": " ", "/": "", "-": "", "(": "", ")": "",
    "[": "\f", "]": "\f",
}  # fmt: skip
"""What a sign behind a backslash prints, if not itself."""

_RELATIONS = """
approx ≈ sim ∼ simeq ≃ times × cdot · pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ leqslant ≤ geqslant ≥ neq ≠ ne ≠ to →
rightarrow → leftarrow ← div ÷ ll ≪ gg ≫ equiv ≡ in ∈ subseteq ⊆ cup ∪ cap ∩ iff ⇔ Rightarrow ⇒ propto ∝ mid | lt <
gt >
"""
_CHARACTERS = """
ldots … dots … cdots ⋯ alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ kappa κ lambda λ
mu μ nu ν pi π rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Delta Δ Gamma Γ Sigma Σ Phi Φ Psi Ψ Omega Ω
Lambda Λ Pi Π Theta Θ ss ß ae æ oe œ o ø aa å AE Æ OE Œ O Ø AA Å l ł L Ł i ı textasciitilde ~ textpercent % infty ∞
S § P ¶ copyright © pounds £ euro € EUR € texteuro € textdollar $ textendash – textemdash — textminus − textpm ±
texttimes × textdegree ° degree ° circ ° dagger † ddagger ‡ checkmark ✓ bullet • sum ∑ prod ∏ partial ∂ nabla ∇
forall ∀ exists ∃ emptyset ∅ ell ℓ prime ′ ast ∗ star ⋆ lbrace { rbrace } langle ⟨ rangle ⟩ lvert | rvert | vert |
log log ln ln exp exp min min max max arg arg sup sup inf inf lim lim Pr Pr det det LaTeX LaTeX TeX TeX BibTeX
BibTeX textquotesingle ' textunderscore _ textbar | textless < textgreater > textperthousand ‰ permil ‰ percent %
"""
PRINTED: Mapping[str, str] = {
    **{name: f" {sign} " for name, sign in _pairs(_RELATIONS).items()},
    **_pairs(_CHARACTERS),
    "textbackslash": "\\",
    "slash": "/",
    "quad": "\f",
    "qquad": "\f",
    "thinspace": "\u2009",
    "nobreakspace": "\u00a0",
    "space": " ",
    "enspace": " ",
}
"""Commands to what they print; relations are set with room around them."""

_SETS_APART = """
and appendix bigskip bottomrule clearpage hfill hline item linebreak maketitle medskip midrule newline newpage
pagebreak par smallskip tableofcontents tabularnewline toprule vfill
"""
SETS_APART = frozenset(_SETS_APART.split())
"""Commands at which a line, row or cell ends."""

_WORDS_OF_THEIR_OWN = """
abstract author caption captionof chapter date footnote footnotetext marginnote marginpar paragraph part section
sidenote subcaption subparagraph subsection subsubsection thanks title todo
"""
WORDS_OF_THEIR_OWN = frozenset(_WORDS_OF_THEIR_OWN.split())
"""Commands whose argument is set apart from the words around it."""

_ARGUMENTS = """\
ooh    cite citep citet citeauthor citeyear citealp citealt parencite textcite autocite nocite includegraphics
ooh    cellcolor includepdf linethickness
oh     label ref eqref pageref autoref cref Cref nameref vref index glossary vspace hspace include input bibliography
oh     bibliographystyle documentclass usepackage RequirePackage pagestyle thispagestyle pagenumbering hypersetup
oh     graphicspath addbibresource phantom hphantom vphantom sout xout st cancel bcancel xcancel pdfinfo urlstyle
oh     cline theoremstyle sisetup captionsetup geometry newcounter stepcounter refstepcounter color hyphenation
oh     selectlanguage newlength enlargethispage linespread pagecolor bookmarksetup tikzset pgfplotsset usetikzlibrary
oh     lstset rowcolor columncolor fancyhead fancyfoot bibitem
hh     addtocounter fontsize colorlet
hhh    crefname Crefname
hv     hypertarget captionof overset underset stackrel
o      allowdisplaybreaks printbibliography footnotemark addlinespace linebreak pagebreak
hohhhh titleformat
ohv    textcolor colorbox hyperlink href foreignlanguage mintinline
ov     hyperref lstinline footnote footnotetext caption todo sqrt section subsection subsubsection chapter
oov    makebox framebox
ohh    setlength addtolength settowidth setcounter numberwithin counterwithin rule newsavebox
ohhh   definecolor
ohohh  specialrule DeclareCaptionFormat
oph    cmidrule
hoho   newtheorem
ohoov  parbox raisebox scalebox rotatebox adjustbox
ohhv   fcolorbox
hhv    resizebox multicolumn
ohohov multirow
h      setstretch
hoohh  newenvironment renewenvironment
vh     texorpdfstring
v      thanks textsuperscript url path nolinkurl
hvv    ifthenelse iftoggle ifbool
"""
ARGUMENTS: Mapping[str, str] = _by_form(_ARGUMENTS)
"""Arguments of commands: ``o`` in brackets and no prose, ``p`` in round ones, ``h`` not shown, ``v`` shown."""

_TRANSPARENT = """
AtBeginDocument Big Bigg Bigl Bigr Huge LARGE MakeUppercase acute arraybackslash backmatter bar begingroup bf
bfseries bgroup big bigg biggl biggr bigl bigr bm boldmath boldsymbol centering colon displaystyle dot dotfill
doublespacing egroup else em emph endfirsthead endfoot endgroup endhead endlastfoot ensuremath fbox fi flushbottom
footnotesize frontmatter fussy global hat hbox hfil hl hrule hrulefill hskip huge ignorespaces indent it itshape
large leavevmode left limits listoffigures listoftables long lowercase mainmatter makeatletter makeatother makeindex
mathbb mathbf mathbin mathcal mathfrak mathit mathop mathrel mathrm mathsf mathstrut mathtt mbox mdseries newblock
noindent nolimits nonumber nopagebreak normalfont normalsize notag null onecolumn onehalfspacing operatorname or
outer overbrace overline printindex protect raggedbottom raggedleft raggedright relax right rm rmfamily samepage sc
scriptsize scriptstyle scshape setminus sf sffamily singlespacing sloppy small smash so strut substack
tabularnewline tag text textbf textit textmd textnormal textquoteright textrm textsc textsf textsl textstyle
textsubscript texttt textup tilde tiny tt ttfamily twocolumn ul uline unboldmath underbrace underline unskip
uppercase upshape uwave vec vfil vskip widehat widetilde xspace
"""
TRANSPARENT = frozenset(_TRANSPARENT.split())
"""Commands that print their arguments, or nothing."""

_CHANGES_NUMBERS = """
acute bar breve check ddot dot grave hat mathring not overline tilde vec widehat widetilde
"""
CHANGES_NUMBERS = frozenset(_CHANGES_NUMBERS.split())
"""Commands that set a mark on their argument: a number with it is another one."""


def turns(name: str, arguments: str) -> bool:
    """Whether a command sets its last argument mirrored or at an angle, by the arguments before it."""
    angle = arguments.strip("{}[] ")
    return (name == "scalebox" and "-" in arguments) or (
        name == "rotatebox" and angle not in ("0", "90", "-90", "270", "360")
    )


_ENVIRONMENTS = """\
o      document abstract center flushleft flushright quote quotation verse itemize enumerate description figure table
o      equation align gather multline eqnarray displaymath math split aligned gathered cases matrix pmatrix bmatrix
o      vmatrix threeparttable tablenotes landscape sidewaystable sidewaysfigure titlepage small footnotesize
o      scriptsize appendices acknowledgments theorem lemma definition proposition corollary proof remark example
o      algorithm algorithmic frame block columns subequations tabbing singlespace samepage IEEEkeywords keywords
o      teaserfigure acks sloppypar trivlist
oh     column tabular longtable array subfigure subtable
h      spacing multicols thebibliography alignat adjustbox tabu supertabular
hh     list
hoh    tabular* tabularx tabulary
oooh   minipage
ohoh   wrapfigure wraptable
"""
ENVIRONMENTS: Mapping[str, str] = _by_form(_ENVIRONMENTS)
"""Environments that are read, and their arguments as in ``ARGUMENTS``."""

_UNSAFE = """
DTLforeach DTLloaddb ExplSyntaxOn catcode csname csvreader directlua edef expandafter foreach gdef import include
input lccode loop openin pgfmathparse pgfmathresult pgfplotstabletypeset read special subfile uccode whiledo write
xdef
"""
UNSAFE = frozenset(_UNSAFE.split())
"""Commands that print what this reader cannot know."""
