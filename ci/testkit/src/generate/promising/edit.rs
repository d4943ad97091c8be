//! Edits that turn the source into the target.

use super::{Access, Condition, Promises, Statement, access, condition, place, print, promises};
use crate::Dice;

/// Makes one random edit somewhere in these statements; no edit if the drawn one does not apply.
pub(super) fn edit(dice: &mut Dice, statements: &mut Vec<Statement>) {
    let all = lists(statements);
    // Of two draws, take the inner one, so that statements move out of an `if` more often.
    let drawn: [usize; 2] = std::array::from_fn(|_| dice.below(all.len()));
    let path = drawn.map(|i| &all[i]).into_iter().max_by_key(|path| path.len()).cloned().unwrap_or_default();
    let list = at(statements, &path);
    if list.is_empty() {
        return;
    }
    // Prefer loads, which can move without other effects.
    let is_load = |i: &usize| matches!(list[*i], Statement::Access(Access::Load(_), _));
    let drawn: [usize; 3] = std::array::from_fn(|_| dice.below(list.len()));
    let i = drawn.into_iter().find(is_load).unwrap_or(drawn[0]);
    match dice.below(14) {
        0 => {
            if i + 1 < list.len() {
                list.swap(i, i + 1);
            }
        }
        1 => {
            let copy = list[i].clone();
            list.insert(dice.below(list.len() + 1), copy);
        }
        2 => {
            list.remove(i);
        }
        3..7 => leave(dice, statements, path, i),
        7 => enter(dice, list, i),
        8 => invert(&mut list[i]),
        9 => peel(list, i),
        10 => merge(list, i),
        _ => promise(dice, &mut list[i]),
    }
}

/// The path of a statement list: from outside in, the statement index and the index of its list.
type Path = Vec<(usize, usize)>;

fn lists(statements: &mut [Statement]) -> Vec<Path> {
    let mut found = vec![Path::new()];
    for (i, statement) in statements.iter_mut().enumerate() {
        for (which, list) in statement.inner().iter_mut().enumerate() {
            for inner in lists(list) {
                found.push([vec![(i, which)], inner].concat());
            }
        }
    }
    found
}

fn at<'a>(statements: &'a mut Vec<Statement>, path: &[(usize, usize)]) -> &'a mut Vec<Statement> {
    path.iter().fold(statements, |list, (i, which)| &mut list[*i].inner()[*which])
}

/// Moves a statement before or after the enclosing one, or copies it there.
fn leave(dice: &mut Dice, statements: &mut Vec<Statement>, mut path: Path, i: usize) {
    let list = at(statements, &path);
    let moved = if dice.chance(70) { list.remove(i) } else { list[i].clone() };
    if let Some((outer, _)) = path.pop() {
        let before = outer + usize::from(dice.chance(30));
        at(statements, &path).insert(before, moved);
    } else {
        list.insert(i.min(list.len()), moved);
    }
}

/// Moves a statement into the next one.
fn enter(dice: &mut Dice, list: &mut Vec<Statement>, i: usize) {
    if i + 1 >= list.len() || list[i + 1].inner().is_empty() {
        return;
    }
    let moved = list.remove(i);
    let inner = list[i].inner();
    let which = dice.below(inner.len());
    inner[which].insert(0, moved);
}

/// Swaps the arms of an `if`.
fn invert(statement: &mut Statement) {
    if let Statement::If(_, arms) = statement {
        arms.swap(0, 1);
    }
}

/// Peels the first iteration of a loop with a constant trip count.
fn peel(list: &mut Vec<Statement>, i: usize) {
    if let Statement::Loop(Some(count), _, body) = &mut list[i]
        && let Some(fewer) = count.checked_sub(1)
    {
        *count = fewer;
        let first = body.clone();
        list.splice(i..i, first);
    }
}

/// Merges two equal `if`s, or splits one.
fn merge(list: &mut Vec<Statement>, i: usize) {
    let Statement::If(condition, [then, other]) = list[i].clone() else { return };
    if let Some(Statement::If(next, _)) = list.get(i + 1)
        && *next == condition
    {
        let second = list.remove(i + 1);
        if let (Statement::If(_, arms), Statement::If(_, [more, more_other])) = (&mut list[i], second) {
            arms[0].extend(more);
            arms[1].extend(more_other);
        }
    } else {
        list[i] = Statement::If(condition, [then, Vec::new()]);
        list.insert(i + 1, Statement::If(condition, [Vec::new(), other]));
    }
}

/// Changes the metadata of a statement, or its address.
fn promise(dice: &mut Dice, statement: &mut Statement) {
    let fresh = promises(dice);
    match statement {
        Statement::Access(made, said) => match dice.below(8) {
            0 => *said = Promises::default(),
            1 => said.tag = fresh.tag,
            2 => said.scopes = fresh.scopes,
            3 => said.noalias = fresh.noalias,
            4 => said.group = fresh.group,
            5 => (said.invariant, said.invariant_group) = (fresh.invariant, fresh.invariant_group),
            6 => match made {
                Access::Load(at) | Access::Store(at, _) | Access::Copy(at, _) | Access::Call(at) => {
                    *at = place(dice);
                }
            },
            _ => *made = access(dice),
        },
        Statement::If(on, _) | Statement::Leave(on, _) => {
            *on = if *on == Condition::C { Condition::D } else { condition(dice) };
        }
        Statement::Loop(_, parallel, _) => *parallel = fresh.group,
        Statement::Declare(list) => *list = fresh.scopes.unwrap_or(0) % print::SINGLE,
    }
}
